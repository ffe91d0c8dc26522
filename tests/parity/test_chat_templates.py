"""Templates render as transformers renders them: what models are distributed with uses all of these."""

from __future__ import annotations

import pytest

from spark_tui.engine.text.chat_template import ChatTemplate

pytestmark = [
    pytest.mark.parity,
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

MESSAGES = [
    {"role": "system", "content": "Be brief.  "},
    {"role": "user", "content": 'a <b> & "c"\n\n  d'},
    {"role": "assistant", "content": "é 日本"},
    {"role": "user", "content": ""},
]
TEMPLATES = {
    "marks": (
        "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] | trim }}{{ eos_token }}\n{% endfor %}"
    ),
    "whitespace": (
        """\
{% if messages[0].role == "system" %}
    {%- set system = messages[0].content %}
{% endif %}
{%- for m in messages[1:] %}
    {% if loop.first %}
        [S]{{ system }}[/S]
    {%- endif %}
    {{- m.content }}
    {%- if not loop.last %};{% endif %}
{%- endfor %}
"""
    ),
    "namespace": (
        "{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + m.content | length %}"
        "{% endfor %}{{ ns.n }}"
    ),
    "loop controls": (
        "{% for m in messages %}{% if m.role == 'assistant' %}{% continue %}{% endif %}{{ m.content }}"
        "{% if loop.index > 2 %}{% break %}{% endif %}{% endfor %}"
    ),
    "json": "{{ messages | tojson }}{{ messages[1] | tojson(indent=2) }}",
    "training": "{% for m in messages %}{% generation %}{{ m.content }}{% endgeneration %}{% endfor %}",
    "prompt": (
        "{{ bos_token }}{% if add_generation_prompt %}<|assistant|>{% else %}-{% endif %}"
        "{% if tools is not none and tools %}tools{% endif %}"
    ),
    "macro": (
        "{% macro one(m) %}({{ m.role }}:{{ m.content }}){% endmacro %}"
        "{% for m in messages %}{{ one(m) }}{% endfor %}"
    ),
}


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_renders_as_transformers_renders_it(name: str) -> None:
    from transformers.utils.chat_template_utils import render_jinja_template

    texts = {"bos_token": "<s>", "eos_token": "</s>"}
    (theirs,), _ = render_jinja_template(
        conversations=[MESSAGES],
        chat_template=TEMPLATES[name],
        add_generation_prompt=True,
        **texts,
    )
    assert ChatTemplate(TEMPLATES[name], texts).render(MESSAGES) == theirs
