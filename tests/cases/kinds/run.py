def run(settings, names):
    name = input("name? ")
    home = settings["home"]
    size = settings.get("size")
    for entry in names:
        print(f"{entry} of {home}")
    return sorted(names), size, name
