"""What a tool in Python needs: arguments, questions to people, progress, log lines and results.

    import os, sys
    sys.path.insert(0, os.environ["MCP_SDK"])
    import holdpoint_tool as tool

    if tool.confirm("Overwrite report.pdf?", yes="Overwrite", no="Keep it"):
        ...

One file, Python 3.8 or newer, the standard library alone. It never prints by itself: standard output is the result of
the tool, and only result(), error() and fail() write there.
"""

import itertools
import json
import os
import select
import sys
import tempfile
import time
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, NoReturn, Optional, Sequence, Tuple, Union

__all__ = [
    "Answer", "args", "ask", "ask_choice", "ask_choices", "ask_confirm", "ask_connection", "ask_date", "ask_form",
    "ask_number", "ask_text", "ask_url", "can_ask", "cancelled", "confirm", "error", "fail", "log", "meta", "progress",
    "require", "result", "roots",
]

Options = Union[Mapping[str, str], Iterable[Union[str, Tuple[str, str]]]]


class Answer(NamedTuple):
    """The answer to a question. A No, an expired question and a client that cannot ask are answers too."""

    #: "accept", "decline", "cancel" or "error".
    action: str
    #: What the person entered; only with "accept".
    content: Optional[Dict[str, Any]] = None
    #: Why there is no answer: "unsupported", "expired", "timed_out", "client_error", "invalid_request" and others.
    reason: Optional[str] = None
    #: The same in words for people.
    message: Optional[str] = None
    #: For links: whether the page reported that the person finished there. "accept" alone does not say so.
    completed: Optional[bool] = None

    @property
    def accepted(self) -> bool:
        return self.action == "accept"

    def get(self, field: str, default: Any = None) -> Any:
        """One field of the content; the default when there is none."""
        return (self.content or {}).get(field, default)


# ---- arguments

def args() -> Dict[str, Any]:
    """The arguments of this call."""
    return _payload("MCP_TOOL_ARGS")


def meta() -> Dict[str, Any]:
    """The `_meta` of the request."""
    return _payload("MCP_TOOL_META")


def require(name: str, message: Optional[str] = None) -> Any:
    """One argument; ends the call with "invalid params" when it is missing."""
    value = args().get(name)
    if value is None:
        fail(-32602, message or "The argument “%s” is required." % name)
    return value


def roots() -> List[str]:
    """The folders that the client works in."""
    return [line for line in os.environ.get("MCP_ROOTS_PATHS", "").split("\n") if line]


# ---- questions

def can_ask(mode: str = "form") -> bool:
    """Whether a question of this mode ("form" or "url") can reach a person."""
    return os.environ.get("MCP_ELICIT_" + mode.upper(), os.environ.get("MCP_ELICIT_SUPPORTED")) == "1"


def ask(message: str, schema: Mapping[str, Any], **options: Any) -> Answer:
    """Asks with a schema of your own: an object with flat properties.

    Every question takes the options `timeout` (seconds that the person has) and `withdraw` (a threading.Event; when it
    is set, the question is taken back everywhere). Questions of several threads are open at the same time.
    """
    return _exchange({"message": message, "schema": schema, "mode": "form"}, **options)


def ask_form(message: str, fields: Mapping[str, Any], optional: Sequence[str] = (), **options: Any) -> Answer:
    """Asks for several fields at once: name to JSON Schema, all required but the optional ones."""
    required = [name for name in fields if name not in optional]
    return ask(message, {"type": "object", "properties": fields, "required": required}, **options)


def confirm(message: str, **options: Any) -> bool:
    """True when a person said Yes. False for everything else: a No, no answer in time, no person to ask."""
    answer = ask_confirm(message, **options)
    return answer.accepted and answer.get("confirmed") is True


def ask_confirm(message: str, yes: Optional[str] = None, no: Optional[str] = None, **options: Any) -> Answer:
    """Yes or No, with words for the two if you like. Content: {"confirmed": bool}."""
    schema = {"type": "object", "properties": {"confirmed": {"type": "boolean"}}, "required": ["confirmed"]}
    words = {key: word for key, word in (("yes", yes), ("no", no)) if word is not None}
    return _exchange(dict({"message": message, "schema": schema, "mode": "form"}, **words), **options)


def ask_choice(message: str, choices: Options, default: Optional[str] = None, **options: Any) -> Answer:
    """One of several: values, (value, title) pairs, or a dict of value to title. Content: {"choice": value}."""
    schema = dict({"type": "string"}, **_to_value_schema(choices, "oneOf"))
    return ask_form(message, {"choice": _with_default(schema, default)}, **options)


def ask_choices(message: str, choices: Options, default: Optional[Sequence[str]] = None, **options: Any) -> Answer:
    """Any number of several. `minItems` and `maxItems` limit how many. Content: {"choices": [value, …]}."""
    limits = {key: options.pop(key) for key in ("minItems", "maxItems") if key in options}
    value_schema = _to_value_schema(choices, "anyOf")
    items = dict({"type": "string"}, **value_schema) if "enum" in value_schema else value_schema
    return ask_form(message, {"choices": _with_default(dict({"type": "array", "items": items}, **limits), default)},
                    **options)


def ask_text(message: str, field: str = "value", **options: Any) -> Answer:
    """A text. Other options are JSON Schema: `title`, `description`, `default`, `maxLength`, `format`, … and
    `required=False` lets the person leave it empty. Content: {field: text}."""
    return _ask_field(message, field, {"type": "string"}, options)


def ask_number(message: str, field: str = "value", whole: bool = False, **options: Any) -> Answer:
    """A number; `minimum`, `maximum` and `default` as in JSON Schema. Content: {field: number}."""
    return _ask_field(message, field, {"type": "integer" if whole else "number"}, options)


def ask_date(message: str, field: str = "value", **options: Any) -> Answer:
    """A day, as "2026-01-31". Content: {field: text}."""
    return _ask_field(message, field, {"type": "string", "format": "date"}, options)


def ask_url(message: str, url: str, wait: bool = False, **options: Any) -> Answer:
    """Asks the person to open a page. "accept" means that they agreed to open it; with `wait` the answer comes when the
    page reported that they finished, and `completed` says so."""
    request = {"message": message, "url": url, "mode": "url"}
    return _exchange(dict(request, wait=True) if wait else request, **options)


def ask_connection(provider: str, scopes: Optional[Sequence[str]] = None, message: Optional[str] = None,
                   **options: Any) -> Answer:
    """An account of the person at a provider, connected when it is not yet. Content: provider, account, scopes, and
    the path of a local socket whose requests are sent on with fresh credentials."""
    request = {"message": message or "Connect your %s account." % provider, "mode": "connection", "provider": provider}
    return _exchange(dict(request, scopes=list(scopes)) if scopes is not None else request, **options)


# ---- while it runs

def progress(done: float, message: Optional[str] = None, total: Optional[float] = None) -> None:
    """Tells how far the work is. Does nothing when the client does not want to know."""
    token = os.environ.get("MCP_PROGRESS_TOKEN", "")
    if token:
        params = {"progressToken": token, "progress": done, "total": total, "message": message}
        _append("MCP_PROGRESS_STREAM", "notifications/progress", params)


def log(level: str, data: Any, logger: Optional[str] = None) -> None:
    """A log line for the client; level is one of MCP's: debug, info, notice, warning, error, critical, …"""
    name = logger or os.environ.get("MCP_TOOL_NAME", "tool")
    _append("MCP_LOG_STREAM", "notifications/message", {"level": level, "logger": name, "data": data})


def cancelled() -> bool:
    """Whether the call was cancelled. The process is ended soon after: tidy up and leave."""
    path = os.environ.get("MCP_CANCEL_FILE")
    return bool(path) and os.path.exists(path)


# ---- the end

def result(data: Any) -> NoReturn:
    """Prints the result and ends the program: {"success": true, "result": data}, as structured content and as text."""
    envelope = {"success": True, "result": data}
    _print_last({"content": [_text(_json(envelope))], "structuredContent": envelope, "isError": False})


def error(kind: str, message: str, hint: Optional[str] = None, data: Any = None) -> NoReturn:
    """Prints an error that the model can read and act on, and ends the program, so that nothing is done after it."""
    details = {"type": kind, "message": message, "hint": hint, "data": data}
    fields = {key: value for key, value in details.items() if value is not None}
    envelope = {"success": False, "error": fields}
    _print_last({"content": [_text(message)], "structuredContent": envelope, "isError": True})


def fail(code: int, message: str, data: Any = None) -> NoReturn:
    """Ends the program and the call with a JSON-RPC error."""
    path = os.environ.get("MCP_TOOL_ERROR_FILE")
    if path:
        with open(path, "w", encoding="utf-8") as file:
            file.write(_json({"code": code, "message": message, "data": data}) + "\n")
    sys.stderr.write(message + "\n")
    sys.exit(1)


# ---- the exchange of files with the server

_CHECK_SECONDS = 1.0
_POLL_SECONDS = 0.02
_numbers = itertools.count(1)


def _exchange(request: Mapping[str, Any], timeout: Optional[float] = None, withdraw: Any = None) -> Answer:
    slot = os.environ.get("MCP_ELICIT_REQUEST_FILE", "")
    if os.environ.get("MCP_ELICIT_SUPPORTED") != "1" or not slot.endswith(".request"):
        return Answer("error", reason="unsupported", message="There is no way to ask a person in this call.")
    base = _claim(slot[: -len(".request")])
    wake = _open_wake(base + ".wake")
    try:
        _put(base + ".request", request if timeout is None else dict(request, timeout=timeout))
        _wait(base, wake, withdraw)
    finally:
        if wake is not None:
            os.close(wake)
    with open(base + ".response", encoding="utf-8") as file:
        answer = json.load(file)
    os.unlink(base + ".response")
    return Answer(*(answer.get(name) for name in Answer._fields))


def _claim(slot: str) -> str:
    """Finds a number that no other program of this call has used."""
    while True:
        base = "%s.py%d" % (slot, next(_numbers))
        try:
            os.close(os.open(base + ".claim", os.O_CREAT | os.O_EXCL, 0o600))
            return base
        except FileExistsError:
            continue


def _open_wake(path: str) -> Optional[int]:
    """The FIFO into which the server writes a line when the answer is there; None where there are no FIFOs."""
    try:
        os.mkfifo(path, 0o600)
        # Read and write: it opens at once, and never reports the end of the file.
        return os.open(path, os.O_RDWR | os.O_NONBLOCK)
    except (AttributeError, OSError):
        return None


def _wait(base: str, wake: Optional[int], withdraw: Any) -> None:
    while not os.path.exists(base + ".response"):
        if withdraw is not None and withdraw.is_set():
            _put(base + ".cancel", {})
            withdraw = None
        if wake is None:
            time.sleep(_POLL_SECONDS)
        elif select.select([wake], [], [], _CHECK_SECONDS if withdraw is None else _POLL_SECONDS)[0]:
            os.read(wake, 64)


def _put(path: str, value: Mapping[str, Any]) -> None:
    """Writes a file that appears whole or not at all."""
    handle, temporary = tempfile.mkstemp(prefix=os.path.basename(path) + ".tmp", dir=os.path.dirname(path))
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(_json(value))
    os.rename(temporary, path)


def _ask_field(message: str, field: str, schema: Dict[str, Any], options: Dict[str, Any]) -> Answer:
    ask_options = {key: options.pop(key) for key in ("timeout", "withdraw") if key in options}
    optional = [] if options.pop("required", True) else [field]
    return ask_form(message, {field: dict(schema, **options)}, optional, **ask_options)


def _to_value_schema(choices: Options, keyword: str) -> Dict[str, Any]:
    entries = list(choices.items() if isinstance(choices, Mapping) else choices)
    if all(isinstance(entry, str) for entry in entries):
        return {"enum": entries}
    pairs = [(entry, entry) if isinstance(entry, str) else entry for entry in entries]
    return {keyword: [{"const": value, "title": title} for value, title in pairs]}


def _with_default(schema: Dict[str, Any], default: Any) -> Dict[str, Any]:
    return schema if default is None else dict(schema, default=default)


def _payload(name: str) -> Dict[str, Any]:
    path = os.environ.get(name + "_FILE")
    if path and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    return json.loads(os.environ.get(name + "_JSON") or "{}")


def _append(variable: str, method: str, params: Mapping[str, Any]) -> None:
    path = os.environ.get(variable)
    if not path:
        return
    line = _json({"jsonrpc": "2.0", "method": method, "params": params}) + "\n"
    # One write to a file opened for appending: lines of several threads and programs stay whole.
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(handle, line.encode("utf-8"))
    finally:
        os.close(handle)


def _print_last(value: Mapping[str, Any]) -> NoReturn:
    sys.stdout.write(_json(value) + "\n")
    sys.stdout.flush()
    sys.exit(0)


def _text(words: str) -> Dict[str, str]:
    return {"type": "text", "text": words}


def _json(value: Any) -> str:
    # Escaped, so that it can be printed whatever the locale is.
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
