"""`spark mcp`: exact edits as tools for other programs, over the Model Context Protocol.

`tools` knows no protocol and needs no package of the extra; `server`, `stdio` and `http` speak it with the
official SDK.
"""
