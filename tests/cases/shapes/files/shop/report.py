from shop.cart import Cart


def main():
    cart = Cart("me")
    print(summary(cart))


def summary(cart):
    lines = [f"{name}: {price}" for name, price, _ in cart.items]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
