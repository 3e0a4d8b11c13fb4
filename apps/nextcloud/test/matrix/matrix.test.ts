// x

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { table } from "../../src/tools/table.ts"
import { samples } from "../samples/all.ts"
import type { Stage } from "./stage.ts"
import { openStage } from "./stage.ts"
import { bend, cut, page, readers, refusal } from "./faults.ts"

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterEach(() => stage.tidy())
afterAll(() => stage.close())
const log = (what: string) => process.env.LOUD && (process.getBuiltinModule("node:fs").appendFileSync(process.env.LOUD, what + "\n"))
const rows = table.map((t) => [t.name, t] as const)
const inputOf = async (name: string) => (await samples[name]?.arguments(stage.world)) ?? {}
const bad = /undefined|\[object|NaN/

describe("success", () => {
  it.each(rows)("%s", async (name, tool) => {
    const input = await inputOf(name)
    const asked = tool.confirm !== undefined && tool.confirm.when?.(input) !== false
    const called = await stage.call(tool, input)
    expect(called.result.isError, called.text).toBeFalsy()
    expect(called.result.content?.[0]).toEqual({ type: "text", text: JSON.stringify(called.result.structuredContent) })
    expect(called.losses.length).toBe(asked ? 1 : 0)
    expect(called.consents).toEqual([])
    expect(called.requests, called.requests.join("\n")).toHaveLength(tool.requests + (asked ? (tool.confirm?.requests ?? 0) : 0))
  })
})
describe("missing", () => {
  it.each(rows)("%s", async (name, tool) => {
    const s = samples[name]
    const input = s?.missing ?? (await inputOf(name))
    if (s?.missing === undefined) stage.server.switches.intercept = (_m, p) => refusal(404, p)
    const called = await stage.call(tool, input)
    log(`missing ${s?.missing === undefined ? "forced" : "sample"} ${name} ${called.result.isError} ${called.text.slice(0, 200)}`)
    expect(called.result.isError, called.text).toBe(true)
    expect(called.text).not.toMatch(bad)
  })
})
describe("foreign", () => {
  it.each(rows)("%s", async (name, tool) => {
    const s = samples[name]
    const f = s?.foreign
    const input = f === undefined ? await inputOf(name) : typeof f === "function" ? await f(stage.world) : f
    if (f === undefined) stage.server.switches.intercept = (_m, p) => refusal(403, p)
    const called = await stage.call(tool, input)
    log(`foreign ${f === undefined ? "forced" : "sample"} ${name} ${called.result.isError} ${called.text.slice(0, 200)}`)
    expect(called.result.isError, called.text).toBe(true)
    expect(called.text).not.toMatch(bad)
  })
})
describe("conflict", () => {
  it.each(rows.filter(([, t]) => t.effect !== "read"))("%s", async (name, tool) => {
    const s = samples[name]
    const input = s?.conflict === undefined ? await inputOf(name) : await s.conflict(stage.world)
    const before = stage.server.switches.intercept
    if (s?.conflict === undefined) stage.server.switches.intercept = (m, p) => readers.has(m) ? before?.(m, p) : refusal(p.includes("remote.php") ? 412 : 409, p)
    const called = await stage.call(tool, input)
    log(`conflict ${s?.conflict === undefined ? "forced" : "sample"} ${name} ${called.result.isError} ${called.text.slice(0, 300)}`)
    expect(called.result.isError, called.text).toBe(true)
    expect(called.text).not.toMatch(bad)
    if (s?.conflict) expect(called.text).toMatch(/What is there now: /)
  })
})
describe("expired", () => {
  it.each(rows)("%s", async (name, tool) => {
    const input = await inputOf(name)
    const { tokens } = stage.server.world
    for (const t of tokens) if (t.user === "alice") tokens.delete(t)
    const inner = stage.server.switches.intercept
    stage.server.switches.intercept = (m, p) => stage.server.access("alice").length === 0 ? undefined : inner?.(m, p)
    const called = await stage.call(tool, input)
    log(`expired ${name} ${called.result.isError} ${called.consents.length} ${called.consents[0]?.message}`)
    expect(called.result.isError, called.text).toBeFalsy()
    expect(called.consents).toHaveLength(1)
    expect(called.consents[0]?.message).toMatch(/again/)
  })
})
describe("down", () => {
  beforeAll(() => stage.server.stop())
  afterAll(() => stage.server.start())
  it.each(rows)("%s", async (name, tool) => {
    const input = await inputOf(name)
    const called = await stage.call(tool, input)
    log(`down ${name} ${called.result.isError} ${called.pauses} ${called.text}`)
    expect(called.result.isError, called.text).toBe(true)
    expect(called.text).not.toMatch(bad)
    expect(called.text).toMatch(/cannot be reached/)
    expect(called.pauses).toBeGreaterThanOrEqual(2)
  })
})
describe.each(["page", "cut", "bend"])("malformed %s", (kind) => {
  it.each(rows)("%s", async (name, tool) => {
    const input = await inputOf(name)
    if (kind === "page") stage.server.switches.intercept = () => page
    if (kind === "cut") stage.server.spoil = cut
    if (kind === "bend") stage.server.spoil = bend
    const called = await stage.call(tool, input)
    log(`malformed ${kind} ${name} ${called.result.isError} ${called.text.slice(0, 300)}`)
    expect(called.text).not.toMatch(bad)
    if (kind === "page") expect(called.result.isError, called.text).toBe(true)
  })
})
describe("declined", () => {
  it.each(rows.filter(([, t]) => t.confirm !== undefined))("%s", async (name, tool) => {
    const input = await inputOf(name)
    if (tool.confirm?.when?.(input) === false) return
    const called = await stage.call(tool, input, { onLoss: "decline" })
    log(`declined ${name} ${called.result.isError} ${called.losses[0]?.message} ${called.text}`)
    expect(called.result.isError, called.text).toBe(true)
    expect(called.losses).toHaveLength(1)
    expect(called.requests.filter((r) => !readers.has(r.split(" ")[0]!))).toEqual([])
    expect(called.requests).toHaveLength(tool.confirm?.requests ?? 0)
  })
})
