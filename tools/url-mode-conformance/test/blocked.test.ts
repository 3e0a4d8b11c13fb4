// A check that could not run counts as blocked, and one that does not apply as skipped: a server at its limit has
// passed neither.

import type { Json } from "@holdpoint/testkit/url-mode-conformance/faulty/behaviour"
import { faultyTarget } from "@holdpoint/testkit/url-mode-conformance/faulty/server"
import { describe, expect, it } from "vitest"
import type { UrlModeReport, UrlModeRevision, UrlModeTarget } from "../src/index.ts"
import { checkUrlMode, urlModeChecks } from "../src/index.ts"

type Reply = (request: Json) => Response | undefined

/** An honest server, except for the requests that `reply` answers in its place. */
function intercepted(reply: Reply, more: Partial<UrlModeTarget> = {}): UrlModeTarget {
  const target = faultyTarget()
  return {
    ...target,
    ...more,
    fetch: async (input, init) =>
      (typeof init?.body === "string" ? reply(JSON.parse(init.body) as Json) : undefined) ?? target.fetch(input, init),
  }
}

/** Answers calls of the url tool with `result`, except the first few. */
function answersAfter(calls: number, result: Json): Reply {
  let calledSoFar = 0
  return ({ id, method, params }) => {
    const { name, requestState } = (params ?? {}) as Json
    if (method !== "tools/call" || name !== "connect" || requestState !== undefined || ++calledSoFar <= calls)
      return undefined
    return Response.json({ jsonrpc: "2.0", id, result: { resultType: "complete", ...result } })
  }
}

const texts = (text: string): Json => ({ content: [{ type: "text", text }] })
const idsWith = (report: UrlModeReport, outcome: string): readonly string[] =>
  report.results.filter((result) => result.outcome === outcome).map(({ id }) => id)

const check = (target: UrlModeTarget, revision: UrlModeRevision, ...prefixes: readonly string[]) =>
  checkUrlMode(target, {
    revisions: [revision],
    checks: urlModeChecks.filter(({ id }) => prefixes.some((prefix) => id.startsWith(prefix))),
  })

/** Runs two checks on each of two revisions. */
const onBothRevisions = (reply: Reply): Promise<UrlModeReport> =>
  checkUrlMode(intercepted(reply), {
    revisions: ["2026-07-28", "2025-11-25"],
    checks: urlModeChecks.filter(({ id }) => id === "url-message" || id === "address-valid"),
  })

describe("a check could not run", () => {
  it("when the tool has stopped asking", async () => {
    const limited = intercepted(answersAfter(3, { ...texts("There are too many open questions."), isError: true }))
    const report = await check(limited, "2026-07-28", "url", "address")
    expect(idsWith(report, "passed")).toEqual(["url-asked", "url-params-modern", "url-message"])
    expect(idsWith(report, "blocked")).toContain("address-valid")
    expect(report).toMatchObject({ passed: 3, failed: 0, skipped: 0 })
    expect(report.blocked).toBe(idsWith(report, "blocked").length)
    const blocked = report.results.find(({ outcome }) => outcome === "blocked")
    expect(blocked?.why).toBe(
      "connect asked in url mode before, but not any more: it gave an error result: “There are too many open questions.”",
    )
    expect(blocked?.next).toContain("--reset")
  })

  it("when the tool stops asking at the first question of a later revision", async () => {
    const report = await onBothRevisions(
      answersAfter(2, { ...texts("There are too many open questions."), isError: true }),
    )
    expect(report).toMatchObject({ passed: 2, failed: 0, blocked: 2, skipped: 0 })
    for (const { outcome, revision, why, next } of report.results.slice(2))
      expect([outcome, revision, why, next]).toEqual([
        ...["blocked", "2025-11-25", expect.stringContaining("asked in url mode before, but not any more")],
        expect.stringContaining("--reset"),
      ])
  })

  it("when the server opens no more sessions", async () => {
    let opened = 0
    const limited = intercepted(({ method }) =>
      method === "initialize" && ++opened > 3 ? new Response(null, { status: 429 }) : undefined,
    )
    const report = await check(limited, "2025-11-25", "url-asked", "url-message", "address-valid")
    expect(report).toMatchObject({ passed: 2, failed: 0, blocked: 1, skipped: 0 })
    expect(report.results.at(-1)?.why).toBe("the server opens no session: it answers initialize with HTTP 429")
  })

  const listing =
    (...tools: readonly Json[]): Reply =>
    ({ id, method }) =>
      method === "tools/list"
        ? Response.json({ jsonrpc: "2.0", id, result: { resultType: "complete", tools } })
        : undefined
  const { urlTool: _, formTool: __, ...unnamed } = faultyTarget()
  const search = (reply: Reply): Promise<UrlModeReport> =>
    check({ ...unnamed, fetch: intercepted(reply).fetch }, "2026-07-28", "url-asked")

  it.each([
    [
      "no tool was named and no tool asks",
      listing({ name: "greet" }),
      "of 1 tools that were tried, none asks in url mode",
    ],
    ["every tool needs arguments", listing({ name: "connect", inputSchema: { required: ["account"] } }), "every tool"],
    [
      "there are more tools than are tried",
      listing(...Array.from({ length: 25 }, (_, at) => ({ name: at < 24 ? `greet-${at}` : "connect" }))),
      "of 20 tools that were tried, none asks in url mode, and 5 more were not tried",
    ],
  ])("when %s", async (_, reply, why) => {
    const report = await search(reply)
    expect(report).toMatchObject({ passed: 0, failed: 0, blocked: 1, skipped: 0 })
    expect(report.results[0]?.why).toContain(why)
    expect(report.results[0]?.next).toContain("with --tool")
  })
})

describe("a check is skipped", () => {
  it("when the account is connected and nothing makes the tool ask again", async () => {
    const finished = intercepted(answersAfter(3, texts("The account is connected.")))
    const report = await check(finished, "2026-07-28", "url", "address-valid")
    expect(report).toMatchObject({ passed: 3, failed: 0, blocked: 0, skipped: 3 })
    expect(report.results.at(-1)?.why).toContain("connect has nothing left to ask (--reset makes it ask again)")
  })

  it("when the tool asks on one revision and gives its result on another", async () => {
    const report = await onBothRevisions(answersAfter(2, texts("Hello.")))
    expect(report).toMatchObject({ passed: 2, failed: 0, blocked: 0, skipped: 2 })
    expect(report.results.at(-1)?.why).toContain("connect does not ask in url mode here")
  })

  it("when only a tool that asks by form was named", async () => {
    const { urlTool: _, ...formOnly } = faultyTarget()
    const report = await check(formOnly, "2026-07-28", "url-asked", "form-flat")
    expect(report).toMatchObject({ passed: 1, failed: 0, blocked: 0, skipped: 1 })
    expect(report.results[0]?.why).toBe("no tool is known that asks in url mode (--tool)")
  })
})
