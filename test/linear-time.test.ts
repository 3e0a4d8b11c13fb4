// Calls every exported function that takes a text with hostile texts, and finds those whose time grows faster than the
// text. `npm test` takes a fifteenth of the combinations at full size; the long run takes all.

import { isLong } from "@holdpoint/testkit/long"
import { describe, expect, it } from "vitest"
import type { TextFunction } from "./linear-time/functions.ts"
import { isText, textFunctions } from "./linear-time/functions.ts"
import { excess, screeningSize } from "./linear-time/measure.ts"
import { calls, samples } from "./linear-time/samples.ts"
import type { Shape } from "./linear-time/shapes.ts"
import { shapes } from "./linear-time/shapes.ts"

/** Folders whose functions read texts of people, clients, models, servers and agents. */
const folders = [
  ...[
    "a2a",
    "accounts",
    "agents",
    "calls",
    "client",
    "email",
    "fetching",
    "hub",
    "mcp",
    "server",
    "slack",
    "terminal",
  ].map((name) => `packages/${name}/src`),
  ...["webhooks", "widget"].map((name) => `packages/${name}/src`),
  "apps/nextcloud/src",
  "apps/shell/src",
  "apps/holdpoint/src",
]

/** Files that no foreign text reaches, and that are not loaded: loading them, or calling their functions, has effects. */
const withoutForeignTexts: Readonly<Record<string, string>> = {
  "/main.ts": "starts a program",
  "/hub/warn.ts": "prints what it is given",
  "/commands/": "reads what an operator types",
  "/demo/": "runs in the demonstration only",
  "/idp/": "an identity provider for trying out",
  "/testing/": "for tests of authors",
  "/stores/": "gets texts that were limited before, as parameters of statements",
  "/sealing/key": "reads files of the operator",
  "/vault/presets/": "takes settings of the operator",
  "/nextcloud/settings.ts": "takes settings of the operator",
  "/config": "takes settings of the operator",
  "/serve/": "takes settings of the operator",
  "/try/": "shows the operator's own records",
  "/exchange/call-folder.ts": "creates folders",
  "/exchange/small-file.ts": "writes files",
  "/sealing/private-file.ts": "writes files",
  "/guardian.ts": "starts a process",
  "/agents/approval.ts": "gets names of tools, which are at most 64 characters long",
}

const allFunctions = textFunctions(folders).filter(
  ({ path }) => !Object.keys(withoutForeignTexts).some((part) => path.includes(part)),
)

const size = 300_000

describe("functions that take a text", () => {
  it("take linear time for hostile texts", { timeout: 1_000_000 }, async () => {
    const problems: string[] = []
    let count = 0
    for (const one of allFunctions) {
      const implementation = await load(one)
      for (const [position, call] of callsOf(one, implementation)) {
        count++
        problems.push(...problemsOf(`${one.path}: ${one.name}, parameter ${position + 1}`, call))
      }
    }
    expect(problems).toEqual([])
    expect(count).toBeGreaterThan(400)
  })

  it("take linear time for hostile texts inside other values", { timeout: 1_000_000 }, () => {
    expect(Object.entries(calls).flatMap(([name, call]) => problemsOf(name, call))).toEqual([])
  })

  it("are noticed when their time is quadratic", () => {
    const quadratic = (text: string) => text.replace(/["]+$|[.!]+$/g, "")
    const dots = shapes.find(({ name }) => name === "dots and a letter")
    expect(dots === undefined ? undefined : excess(quadratic, dots, size)).toMatch(/ms for 20,000 characters/)
  })
})

let combination = 0

/** Tries all shapes at a size that shows every square, and a part of them at the full size. */
function problemsOf(name: string, call: (text: string) => unknown): readonly string[] {
  return shapes.flatMap((shape: Shape) => {
    const problem = excess(call, shape, isLong || combination++ % 15 === 0 ? size : screeningSize)
    return problem === undefined ? [] : [`${name}: ${shape.name}: ${problem}`]
  })
}

async function load({ path, name }: TextFunction): Promise<((...given: unknown[]) => unknown) | undefined> {
  const loaded = (await import(new URL(`../${path}`, import.meta.url).href).catch(() => undefined)) as
    | Readonly<Record<string, unknown>>
    | undefined
  const implementation = loaded?.[name]
  return typeof implementation === "function" ? (implementation as (...given: unknown[]) => unknown) : undefined
}

/** A call for each parameter that is a text. None when another parameter has no sample: then the function has no caller here. */
function callsOf(
  { parameters }: TextFunction,
  implementation: ((...given: unknown[]) => unknown) | undefined,
): readonly (readonly [number, (text: string) => unknown])[] {
  if (implementation === undefined || !parameters.every(hasSample)) return []
  const required = parameters.findLastIndex((type) => !type.endsWith("?"))
  return parameters.flatMap((type, position) => {
    if (!isText(type)) return []
    const used = parameters.slice(0, Math.max(required, position) + 1)
    const call = (text: string): unknown => {
      const result = implementation(...used.map((one, at) => (at === position ? text : sampleOf(one))))
      if (result instanceof Promise) result.catch(() => {})
      return result
    }
    return [[position, call] as const]
  })
}

const hasSample = (type: string): boolean =>
  isText(type) || type.endsWith("?") || type === "number" || type === "boolean" || Object.hasOwn(samples, type)

function sampleOf(type: string): unknown {
  if (type.endsWith("?")) return undefined
  return isText(type) ? "a" : type === "number" ? 1_000 : type === "boolean" ? false : samples[type]
}
