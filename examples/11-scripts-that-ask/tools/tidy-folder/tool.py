#!/usr/bin/env python3
# mcp: {"name": "tidy_folder", "description": "Deletes temporary files of a folder: those that a person picks.", "inputSchema": {"type": "object", "properties": {"folder": {"type": "string"}}, "required": ["folder"]}, "annotations": {"destructiveHint": true}}
"""Deletes the temporary files that a person picks, and tells how far it is."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.environ["MCP_SDK"])
import holdpoint_tool as tool

folder = tool.require("folder")
found = sorted(name for name in os.listdir(folder) if name.endswith((".tmp", "~")))
if not found:
    tool.result({"deleted": []})
    sys.exit()

sizes = {name: "%s (%d bytes)" % (name, os.path.getsize(os.path.join(folder, name))) for name in found}
answer = tool.ask_choices("Which of these may be deleted?", sizes, timeout=600)
if not answer.accepted:
    tool.error("not_deleted", "Nothing was deleted: %s." % (answer.reason or answer.action))
    sys.exit()

deleted = []
for name in answer.get("choices", []):
    if tool.cancelled():
        break
    os.remove(os.path.join(folder, name))
    deleted.append(name)
    tool.progress(len(deleted), "Deleted " + name, total=len(answer.get("choices")))
tool.result({"deleted": deleted, "kept": [name for name in found if name not in deleted]})
