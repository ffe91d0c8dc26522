"""Types that words say."""
