# Calls functions of holdpoint_tool.py as its arguments say, and prints what they returned, as one line of JSON.

import json
import os
import re
import sys
import threading

plan = json.loads(os.environ["MCP_TOOL_ARGS_JSON"])
sys.dont_write_bytecode = True
if plan.get("blind"):
    del os.mkfifo
sys.path.insert(0, os.environ["MCP_SDK"])
import holdpoint_tool as tool  # noqa: E402

returned = [None] * len(plan["calls"])


def call(index):
    one = plan["calls"][index]
    options = dict(one.get("options", {}))
    if one.get("withdrawn"):
        options["withdraw"] = threading.Event()
        threading.Timer(one["withdrawn"], options["withdraw"].set).start()
    name = re.sub("[A-Z]", lambda found: "_" + found.group().lower(), one["name"])
    value = getattr(tool, name)(*one.get("args", []), **options)
    if isinstance(value, tool.Answer):
        known = {key: found for key, found in value._asdict().items() if found is not None or key == "content"}
        value = dict(known, accepted=value.accepted)
    returned[index] = value


if plan.get("atOnce"):
    threads = [threading.Thread(target=call, args=(index,)) for index in range(len(returned))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
else:
    for index in range(len(returned)):
        call(index)
if not plan.get("silent"):
    print(json.dumps(returned))
