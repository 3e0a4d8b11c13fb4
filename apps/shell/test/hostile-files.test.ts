// A script that replaces the files of the contract by links, pipes or folders. The server answers, reads no other file,
// and is never blocked.

import { expect, it } from "vitest"
import { confirmRequest, plainAsk, printed } from "./open-shell.ts"
import { opened } from "./opened.ts"

const request = confirmRequest("Overwrite report.pdf?")
const waiting = `
base="\${MCP_ELICIT_REQUEST_FILE%.request}"
until_answered() { until [ -e "$base.$1.response" ]; do sleep 0.02; done; cat "$base.$1.response"; }
`

it.each([
  ["a pipe", `mkfifo "$base.1.request"`, "The request is not a regular file."],
  [
    "a link to a request",
    `echo '${request}' > good; ln -s "$PWD/good" "$base.1.request"`,
    "The request is not a regular file.",
  ],
  [
    "a folder",
    `mkdir "$base.1.tmp"; touch "$base.1.tmp/x"; mv "$base.1.tmp" "$base.1.request"`,
    "The request is not a regular file.",
  ],
  [
    "longer than 1 MiB",
    `head -c 1100000 /dev/zero > big; mv big "$base.1.request"`,
    "The request is longer than 1 MiB.",
  ],
  ["not JSON", `echo 'Overwrite?' > "$base.1.request"`, "The request is not JSON."],
  ["a JSON list", `echo '[1]' > "$base.1.request"`, "The request must be a JSON object."],
])("a request that is %s is answered as invalid, and asks nothing", async (_what, lines, message) => {
  const { client, reports } = await opened({ scripts: { bad: `${waiting}\n${lines}\nuntil_answered 1` } })
  const caller = await client("v2 legacy", () => ({ action: "accept" }))
  expect(printed(await caller.call("bad"))).toEqual({
    ...{ action: "error", content: null, reason: "invalid_request", message },
  })
  expect(caller.prompts).toEqual([])
  expect(reports).toEqual([])
})

it("an answer is written even when a link and a pipe are in its place", async () => {
  const script = `${plainAsk}
base="\${MCP_ELICIT_REQUEST_FILE%.request}"
touch outside
ln -s "$PWD/outside" "$base.1.response"
mkfifo "$base.1.response.tmp"
ask 1 '${request}'
cat outside >&2`
  const { client, reports } = await opened({ scripts: { bad: script } })
  const caller = await client("v2 legacy", () => ({ action: "accept", content: { confirmed: "yes" } }))
  expect(printed(await caller.call("bad"))).toEqual({ action: "accept", content: { confirmed: true } })
  expect(reports).toEqual([])
})

it("the script gets its answer even when its wake pipe is full or is a regular file", async () => {
  const script = `${waiting}
mkfifo "$base.1.wake"
exec 9<>"$base.1.wake"
head -c 65536 /dev/zero >&9
touch "$base.2.wake"
echo '${request}' > tmp; mv tmp "$base.1.request"; until_answered 1 > /dev/null
echo '${request}' > tmp; mv tmp "$base.2.request"; until_answered 2`
  const { client, reports } = await opened({ scripts: { bad: script } })
  const caller = await client("v2 legacy", () => ({ action: "accept", content: { confirmed: "yes" } }))
  expect(printed(await caller.call("bad"))).toEqual({ action: "accept", content: { confirmed: true } })
  expect(reports).toEqual([])
})

it("60 simultaneous requests open only as many questions as allowed, and the rest get too_many", async () => {
  const script = `${waiting}
for n in {1..60}; do echo '${request}' > "$base.$n.tmp"; mv "$base.$n.tmp" "$base.$n.request"; done
until [ "$(ls "$base".*.response 2>/dev/null | wc -l)" -ge 57 ]; do sleep 0.05; done
cat "$base".*.response | grep -o '"reason":"too_many"' | wc -l`
  const { client, reports } = await opened({ scripts: { flood: script }, openLimit: 3 })
  const caller = await client("v2 legacy", async (_prompt, withdrawn) => {
    await new Promise((resolve) => withdrawn.addEventListener("abort", resolve))
    return { action: "cancel" }
  })
  expect(await caller.call("flood")).toMatchObject({ kind: "result", isError: false, text: "57\n" })
  expect(caller.prompts).toHaveLength(3)
  expect(reports).toEqual([])
})
