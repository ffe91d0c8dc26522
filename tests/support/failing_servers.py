"""What a server of a connected model can do wrong, by name: its script, and what a person is told."""

from dataclasses import dataclass

from support.scripted_model import DROP, STALL, Answer, Raw, Think, refuse

EDIT = (
    "shop/cart.py\n```\n<<<<<<< SEARCH\nFREE_SHIPPING_FROM = 4900\n=======\nFREE_SHIPPING_FROM = 5900\n"
    ">>>>>>> REPLACE\n```\n"
)
PIECES = tuple(EDIT[at : at + 16] for at in range(0, len(EDIT), 16))


@dataclass(frozen=True)
class Failure:
    """`says`: parts of the message; `hunks`: whole hunks that are kept; `resumes`: whether it can go on."""

    answer: Answer
    says: tuple
    hunks: int = 0
    resumes: bool = False


def _quota():
    return {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}


FAILURES = {
    "a stall after the edit": Failure(Answer(*PIECES, STALL), ("no data for", "To go on"), 1, True),
    "a stall in the edit": Failure(Answer(*PIECES[:4], STALL), ("no data for", "--resume"), 0, True),
    "a drop": Failure(
        Answer(*PIECES, DROP), ("the answer broke off: the stream ended early", "--resume"), 1, True
    ),
    "an event that is not JSON": Failure(
        Answer(*PIECES, Raw(b"data: {\n\n")), ("not JSON", "--resume"), 1, True
    ),
    "nothing that is JSON": Failure(Answer(Raw(b"data: {\n\n")), ("not JSON", "another API", "--api")),
    "an hour asked for": Failure(
        refuse(429, {"error": {"message": "slow"}}, retry_after="3600"), ("1 h", "slow")
    ),
    "a spent quota": Failure(refuse(429, _quota()), ("You exceeded your quota", "account")),
    "a missing key": Failure(refuse(401, {"error": {"message": "no key"}}), ("no key", "SPARK_API_KEY")),
    "a FastAPI detail": Failure(refuse(400, {"detail": "unknown field"}), ("unknown field",)),
    "a FastAPI list": Failure(
        refuse(422, {"detail": [{"loc": ["body", "n"], "msg": "too big"}]}), ("body.n: too big",)
    ),
    "a LiteLLM dict": Failure(
        refuse(
            400, {"error": {"message": "litellm.BadRequestError: {'error': {'message': 'no such thing'}}"}}
        ),
        ("no such thing",),
    ),
    "a wrong path": Failure(refuse(404, {"detail": "Not Found"}), ("Not Found", "/v1")),
    "an unknown model": Failure(
        refuse(404, {"error": {"message": "model 'm' not found"}}), ("which models",)
    ),
    "a content filter": Failure(Answer("I ", reason="content_filter"), ("another way",)),
    "a filter after the edit": Failure(Answer(*PIECES, reason="content_filter"), ("What arrived is",), 1),
    "nothing": Failure(Answer(usage=(9, 0, 0, 0)), ("answer is empty",)),
    "thought only": Failure(Answer(Think("hm")), ("whole answer for reasoning", "--max-tokens", "--effort")),
    "thought up to the limit": Failure(
        Answer(Think("hm"), reason="length"), ("still thinking", "--max-tokens")
    ),
}
