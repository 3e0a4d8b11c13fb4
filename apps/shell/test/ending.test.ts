// How scripts end: when their call is cancelled, when they run out of time, when they leave processes running, and when
// their server closes. No process that a script has started remains.

import { existsSync } from "node:fs"
import { allEnd } from "@holdpoint/testkit/alive"
import type { ClientKind } from "@holdpoint/testkit/mcp/server/clients/client"
import { describe, expect, it } from "vitest"
import { nameRequest, plainAsk } from "./open-shell.ts"
import { opened } from "./opened.ts"
import { pidsOf } from "./pids.ts"

const never = <T>(): Promise<T> => new Promise<T>(() => {})
const kinds: readonly ClientKind[] = ["v2 pinned to 2026-07-28", "v2 legacy", "raw 2025-06-18"]

/** A script that starts a child and a grandchild. Each process writes its id into the file `pids`. */
const family = `
bash -c 'sleep 1000 & printf "%s\\n" $! >> pids; wait' &
printf '%s\\n' $! $$ >> pids
`
const hangs = `${family}\nwait`

describe.each(kinds)("a call that is cancelled by %s", (kind) => {
  it("ends the script and every process that it started, and lets it clean up", async () => {
    const cleansUp = `trap 'cat "$MCP_CANCEL_FILE" > cleaned 2>&1; exit 0' TERM\n${hangs}`
    const shell = await opened({ scripts: { cleansUp } })
    const caller = await shell.client(kind, never)
    const cancel = new AbortController()
    const calling = caller.call("cleansUp", {}, { signal: cancel.signal })
    const pids = await pidsOf(shell, "cleansUp", 3)
    cancel.abort()
    expect(await calling).toMatchObject({ kind: "error" })
    await allEnd(pids)
    expect(await shell.read("cleansUp/cleaned")).toBe("cancelled")
  })
})

describe("a script that ignores SIGTERM", () => {
  it("is killed with every process that it started", async () => {
    const shell = await opened({ scripts: { stubborn: `trap '' TERM\n${hangs}` } })
    const caller = await shell.client("v2 legacy", never)
    const cancel = new AbortController()
    const calling = caller.call("stubborn", {}, { signal: cancel.signal })
    const pids = await pidsOf(shell, "stubborn", 3)
    cancel.abort()
    expect(await calling).toMatchObject({ kind: "error" })
    await allEnd(pids)
  })
})

describe("a script that runs out of time", () => {
  it("is ended with every process that it started, and the result says why", async () => {
    const shell = await opened({ scripts: { hangs }, tools: { hangs: { timeoutMs: 1_500 } } })
    const caller = await shell.client("v2 legacy", never)
    const calling = caller.call("hangs")
    const pids = await pidsOf(shell, "hangs", 3)
    expect(await calling).toMatchObject({
      isError: true,
      text: expect.stringMatching(/within 1\.5 s and was stopped/),
    })
    await allEnd(pids)
  })
})

describe("a process that a script leaves running", () => {
  it("ends with the script, and does not delay the script's result", async () => {
    const shell = await opened({ scripts: { leaves: `${family}\nprintf done` } })
    const caller = await shell.client("v2 legacy", never)
    expect(await caller.call("leaves")).toMatchObject({ isError: false, text: "done" })
    const pids = (await shell.read("leaves/pids")).trim().split("\n").map(Number)
    expect(pids.length).toBeGreaterThan(1)
    await allEnd(pids)
  })
})

/** Leaves the group and the session in three ways. Each process writes its id into the file `pids`. */
const escapes = `
setsid sh -c 'echo $$ >> pids; exec sleep 1000' < /dev/null > /dev/null 2>&1 &
( setsid nohup sh -c 'sh -c "echo \\$\\$ >> pids; exec sleep 1000" &' > /dev/null 2>&1 & )
setsid --fork sh -c 'trap "" TERM HUP; echo $$ >> pids; while :; do sleep 1; done' > /dev/null 2>&1
`

describe.runIf(existsSync("/proc/self/environ"))("processes of a script that left its group by setsid", () => {
  it("end with the time limit", async () => {
    const shell = await opened({ scripts: { flees: `${escapes}\nsleep 1000` }, tools: { flees: { timeoutMs: 2_000 } } })
    const caller = await shell.client("v2 legacy", never)
    const calling = caller.call("flees")
    const pids = await pidsOf(shell, "flees", 3)
    expect(await calling).toMatchObject({ isError: true })
    await allEnd(pids)
  })

  it("end when the call is cancelled, and when the server closes", async () => {
    for (const way of ["cancel", "close"]) {
      const shell = await opened({ scripts: { flees: `${escapes}\nsleep 1000` } })
      const caller = await shell.client("v2 legacy", never)
      const cancel = new AbortController()
      const calling = caller.call("flees", {}, { signal: cancel.signal }).catch(() => {})
      const pids = await pidsOf(shell, "flees", 3)
      if (way === "cancel") cancel.abort()
      else await shell.server.close()
      await calling
      await allEnd(pids)
    }
  })
})

describe("a server that closes", () => {
  it.each(kinds)("ends the scripts that wait for an answer from %s", async (kind) => {
    const asks = `${plainAsk}\n${family}\nask 1 '${nameRequest("Name?")}'`
    const shell = await opened({ scripts: { asks } })
    const prompted = Promise.withResolvers<void>()
    const caller = await shell.client(kind, () => {
      prompted.resolve()
      return never()
    })
    void caller.call("asks")
    const pids = await pidsOf(shell, "asks", 3)
    await prompted.promise
    await shell.server.close()
    await allEnd(pids)
  })
})
