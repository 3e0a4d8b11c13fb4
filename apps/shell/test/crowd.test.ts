// Many calls with open questions at the same time: each script gets exactly its own answers, and the limits hold.

import { createHash } from "node:crypto"
import { usually } from "@holdpoint/testkit/long"
import type { Answering, ClientKind, Reply } from "@holdpoint/testkit/mcp/server/clients/client"
import { describe, expect, it } from "vitest"
import { opened } from "./opened.ts"

/**
 * A script that costs little: asks as many questions as its argument says, each with a message that no other question
 * has, and prints what it was answered.
 */
const askingScript = `#!/bin/sh
base="\${MCP_ELICIT_REQUEST_FILE%.request}"
read -r args < "$MCP_TOOL_ARGS_FILE" || :
name=\${args#*:\\"}; name=\${name%%\\"*}
count=\${args##*:}; count=\${count%\\}}
n=0
while [ "$n" -lt "$count" ]; do
  n=$((n + 1))
  mkfifo "$base.$n.wake"
  exec 9<>"$base.$n.wake"
  printf '{"message":"%s/%s?","schema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}' \\
    "$name" "$n" > "$base.$n.request"
  read -r _ <&9
  read -r answer < "$base.$n.response" || :
  printf '%s\\n' "$answer"
done
`
const kinds: readonly ClientKind[] = ["v2 pinned to 2026-07-28", "v2 legacy", "raw 2025-06-18"]

/** The output of a script, when each question has received the answer that was meant for it. */
const printedBy = (name: string, count: number, replyTo: (message: string) => Reply): string =>
  Array.from({ length: count }, (_, n) => {
    const { action, content = null } = replyTo(`${name}/${n + 1}?`)
    return `${JSON.stringify({ action, content })}\n`
  }).join("")

const echo = (message: string): Reply => ({ action: "accept", content: { a: `to ${message}` } })

describe("200 calls with open questions at the same time", () => {
  it("are not mixed up", async () => {
    // One asker gets four fifths of a person's places.
    const { client, person } = await opened({ scripts: { asks: askingScript }, openLimit: 250 })
    const names = Array.from({ length: 200 }, (_, n) => `call-${n}`)
    const allAreOpen = Promise.withResolvers<void>()
    let openPrompts = 0
    const answer: Answering = async ({ message }) => {
      openPrompts++
      if (openPrompts === names.length) allAreOpen.resolve()
      await allAreOpen.promise
      return echo(message)
    }
    const callers = await Promise.all(kinds.map((kind) => client(kind, answer)))
    const called = await Promise.all(
      names.map((name, n) => callers[n % callers.length]?.call("asks", { name, count: 1 })),
    )
    expect(called).toMatchObject(names.map((name) => ({ isError: false, text: printedBy(name, 1, echo) })))
    expect(await person.statuses()).toEqual(names.map(() => "completed"))
  })
})

describe("a reached limit", () => {
  it("on a person's open questions answers the script with an error, and the other questions stay open", async () => {
    const { client } = await opened({ scripts: { asks: askingScript }, openLimit: 2 })
    const refused = Promise.withResolvers<void>()
    const caller = await client("v2 legacy", async ({ message }) => {
      await refused.promise
      return echo(message)
    })
    const first = ["a", "b"].map((name) => caller.call("asks", { name, count: 1 }))
    await expect.poll(() => caller.prompts.length).toBe(2)
    const third = await caller.call("asks", { name: "c", count: 1 })
    expect(third).toMatchObject({
      isError: false,
      text: expect.stringMatching(/"action":"error".*"reason":"too_many"/),
    })
    refused.resolve()
    expect(await Promise.all(first)).toMatchObject(["a", "b"].map((name) => ({ text: printedBy(name, 1, echo) })))
  })

  it("on scripts that run or wait fails the call with an explanation, and starts nothing", async () => {
    const { client } = await opened({ scripts: { asks: askingScript }, limits: { concurrency: 1 } })
    const refused = Promise.withResolvers<void>()
    const caller = await client("v2 legacy", async ({ message }) => {
      await refused.promise
      return echo(message)
    })
    const first = caller.call("asks", { name: "a", count: 1 })
    await expect.poll(() => caller.prompts.length).toBe(1)
    expect(await caller.call("asks", { name: "b", count: 1 })).toMatchObject({
      ...{ isError: true, text: expect.stringMatching(/The script was not started/) },
    })
    refused.resolve()
    expect(await first).toMatchObject({ text: printedBy("a", 1, echo) })
    expect(await caller.call("asks", { name: "c", count: 1 })).toMatchObject({ text: printedBy("c", 1, echo) })
  })

  it("on scripts also holds for calls that are made at the same time", async () => {
    const { client, reports } = await opened({ scripts: { asks: askingScript }, limits: { concurrency: 2 } })
    const refused = Promise.withResolvers<void>()
    const caller = await client("v2 legacy", async ({ message }) => {
      await refused.promise
      return echo(message)
    })
    const calling = ["a", "b", "c", "d", "e"].map((name) => caller.call("asks", { name, count: 1 }))
    await expect.poll(() => reports.length).toBe(3)
    refused.resolve()
    const errors = (await Promise.all(calling)).map((called) => called.kind === "result" && called.isError)
    expect(errors.filter(Boolean)).toHaveLength(3)
    expect(caller.prompts).toHaveLength(2)
  })
})

describe("questions with random delays and answers", () => {
  const seed = Number(process.env.HOLDPOINT_SEED ?? 15)
  const [calls, questions] = usually([25, 4], { long: [100, 5] })

  it(`get exactly their own answers: ${calls} calls with ${questions} each (HOLDPOINT_SEED=${seed})`, async () => {
    const { client } = await opened({ scripts: { asks: askingScript }, openLimit: 1_000 })
    const replyTo = (message: string): Reply => {
      const kind = randomFor(seed, message)
      return kind < 0.6 ? echo(message) : { action: kind < 0.8 ? "decline" : "cancel" }
    }
    const answer: Answering = async ({ message }) => {
      await new Promise((resolve) => setTimeout(resolve, randomFor(seed + 1, message) * 50))
      return replyTo(message)
    }
    const callers = await Promise.all(kinds.map((kind) => client(kind, answer)))
    const names = Array.from({ length: calls }, (_, n) => `call-${n}`)
    const called = await Promise.all(
      names.map((name, n) => callers[n % callers.length]?.call("asks", { name, count: questions })),
    )
    expect(called).toMatchObject(names.map((name) => ({ text: printedBy(name, questions, replyTo) })))
  })
})

/** A number from 0 to 1, the same for the same seed and text. */
const randomFor = (seed: number, text: string): number =>
  createHash("sha256").update(`${seed} ${text}`).digest().readUInt32BE() / 2 ** 32
