def summed(prices):
    out = 0
    for name in prices:
        out += prices[name]
    return "sum " + str(out)


def main():
    print(summed({}))


main()
