def plan(parser, level):
    parser.add_argument("--depth", type=int)
    if level == "high":
        depth = 3
    else:
        depth = 1
    return {"depth": depth, "level": level}
