"""Asks one person for a date and a note, with nothing but the standard library, and prints the answer as JSON."""

import json
import os
import sys
import urllib.request

URL, KEY = os.environ["HOLDPOINT_URL"], os.environ["HOLDPOINT_KEY"]


def call(path, body=None, headers={}):
    request = urllib.request.Request(
        f"{URL}/api/questions{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json", **headers},
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


question = call(
    "",
    {
        "message": "When do you want to be away?",
        "form": {
            "type": "object",
            "properties": {
                "from": {"type": "string", "format": "date", "title": "First day"},
                "note": {"type": "string", "title": "Note", "maxLength": 200},
            },
            "required": ["from"],
        },
        "audience": {"issuer": os.environ["ISSUER"], "subject": os.environ["SUBJECT"]},
    },
    {"Idempotency-Key": os.environ["RUN"]},
)
while question["status"] in ("pending", "accepted"):
    question = call(f"/{question['id']}?wait=30")

if question["status"] != "completed":
    sys.exit(f"No answer: {question['status']}")
print(json.dumps(question["content"]))
