def tidy(orders, path):
    for order in orders:
        print(order["code"], order["size"])
    out = open(path, "w")
    out.write(str(orders))


def same(left, right):
    return left == right


def lookup(names, wanted):
    for name in names:
        if name == wanted:
            return name
    return None


def parse(text):
    try:
        number = int(text)
    except ValueError:
        print("not a number")
        return None
    return number


def mean(values):
    return sum(values) / len(values)


def wait(limit):
    tries = 0
    while tries < limit:
        print(tries)
        tries += 1
