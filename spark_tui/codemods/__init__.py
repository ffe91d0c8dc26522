'''Exact edits of Python repositories as typed operations. It knows no natural language and no models.

An operation is a class in a file below `families/`, and that file is all that has to be written:

    @codemod
    class AddReturnHint:
        """Annotate what a function returns."""

        target: Symbol = slot("the function", kinds=CALLABLE)
        hint: Annotation = slot("the type")

        def plan(self, repo: Repository) -> Plan:
            source, target, node = function(repo, self.target)    # one function, or a `Refusal` is raised
            start, end = source.span(node)                        # the place of every node in the text
            ...
            return planned(repo, [Edit(source.path, start, end, f" -> {self.hint}")])

`@codemod` makes it a frozen dataclass and registers it as `add_return_hint`. Its fields are slots
(`slots.py`) in the order in which people write them, those with a default last. `registry` lists all
operations, gives each a JSON schema, reads `add_return_hint Cart.add int` and `{"op": …}`, and prints
calls.

What `plan` may use:

- `places.named`: from the name of a definition, or a place, to its nodes; `uses.symbols.targets`: all symbols
  of a file.
- `repo.index.source(path)`: places, suites, indentation, comments.
- `repo.index.scopes(path)`: which name means what.
- `repo.infer.values(path, expression, scope)`: the class, function or module that an expression stands for.
- `repo.classes`: bases, descendants, members; `uses.callsites.call_sites`: all calls of a function.

What `plan` must return: edits as small as the change; a `Refusal` is raised with a reason if it cannot be
exact or nothing would change; an `Unfollowed` for every place that may be meant and was not edited. It reads
and never writes. Callers pass the result through `checks.harm.checked`, which lists any remaining harm.

`tests/codemods/test_laws.py` applies the laws (the result parses, bytes outside of the edits stay, twice is a
refusal, no name newly undefined) to every operation that has a sampler in `bench/samplers.py`.
'''
