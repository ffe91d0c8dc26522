#include <stdio.h>
#include <stdlib.h>

#define LEVELS 8

struct gauge {
	int levels[LEVELS];
	int used;
};

static int gauge_push(struct gauge *g, int value)
{
	if (g->used >= LEVELS) {
		return -1;
	}
	g->levels[g->used] = value;
	g->used += 1;
	return 0;
}

static int gauge_pop(struct gauge *g, int *value)
{
	if (g->used == 0) {
		return -1;
	}
	g->used -= 1;
	*value = g->levels[g->used];
	return 0;
}

int main(void)
{
	struct gauge tide = { .used = 0 };
	int value = 0;

	for (int hour = 0; hour < 6; hour++) {
		if (gauge_push(&tide, hour * 10) != 0) {
			fprintf(stderr, "full at %d\n", hour);
			return EXIT_FAILURE;
		}
	}
	while (gauge_pop(&tide, &value) == 0) {
		printf("%d\n", value);
	}
	return EXIT_SUCCESS;
}
