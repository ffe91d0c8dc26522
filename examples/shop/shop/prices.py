"""Money, always in whole cents so that sums are exact."""

from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

CURRENCY = "€"
TAX_RATE = Decimal("0.19")
REDUCED_TAX_RATE = Decimal("0.07")


def parse_price(text):
    """Turn '3.50', '3,50' or '€3.50' into 350."""
    cleaned = text.strip().removeprefix(CURRENCY).replace(",", ".")
    try:
        amount = Decimal(cleaned)
    except InvalidOperation:
        raise ValueError(f"not a price: {text!r}") from None
    return int((amount * 100).quantize(Decimal("1"), rounding=ROUND_HALF_UP))


def format_price(cents):
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return "%s%s%d.%02d" % (sign, CURRENCY, whole, rest)


def percent_of(cents, percent):
    share = Decimal(cents) * Decimal(percent) / 100
    return int(share.quantize(Decimal("1"), rounding=ROUND_HALF_UP))


def tax_included(cents, reduced=False):
    """How much of a gross price is tax."""
    rate = REDUCED_TAX_RATE if reduced else TAX_RATE
    net = Decimal(cents) / (1 + rate)
    return cents - int(net.quantize(Decimal("1"), rounding=ROUND_HALF_UP))


def split_evenly(cents, ways):
    """Split an amount into parts that differ by one cent at most."""
    base, extra = divmod(cents, ways)
    parts = []
    for index in range(ways):
        if index < extra:
            parts.append(base + 1)
        else:
            parts.append(base)
    return parts
