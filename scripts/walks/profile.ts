// Measures one walk: the files that it passes (V8's coverage), the calls against the direction of the imports (samples of
// the processor), and the functions that only pass their arguments on.

import { Session } from "node:inspector/promises"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** The folders, in the direction of the imports. The products and the command come after them. */
const layers = [
  "(?:holdpoint|hub)/src/(?:core|secrets)",
  "(?:holdpoint|hub)/src/ports",
  "(?:holdpoint|hub)/src/(?:forms|sealing|stream)|holdpoint/src/fetching|fetching",
  "(?:holdpoint|accounts)/src/oauth",
  "holdpoint/src/(?:hub|vault|identity|stores|due)|hub|accounts|server/src/identity",
  "holdpoint/src/asking|calls",
  "holdpoint/src/surfaces|(?:mcp|slack|email|webhooks|a2a|terminal|client)|server/src/(?:web|api)",
  "(?:holdpoint|server)/src/http",
  "(?:holdpoint|server)/src/compose",
].map((names) => new RegExp(`^packages/(?:${names})/`))

export interface Walk {
  readonly files: readonly string[]
  /** Calls from a folder into one to its right, through a function or an object that was passed in. */
  readonly reversals: readonly string[]
  /** Functions with a name that only call another one with the arguments that they were given: `file: name`. */
  readonly passOns: readonly string[]
}

/** Runs the work twice to load everything, once to count, and then often enough to sample every call. */
export async function profile(times: number, work: () => Promise<void>): Promise<Walk> {
  const session = new Session()
  session.connect()
  try {
    await work()
    await work()
    const { files, passOns } = await coverageOf(session, work)
    const reversals = await reversalsOf(session, async () => {
      for (let nth = 0; nth < times; nth++) await work()
    })
    return { files, reversals, passOns }
  } finally {
    session.disconnect()
  }
}

export const folderOf = (path: string): string =>
  /^packages\/[^/]+\/src\/surfaces\/[^/]+|^packages\/[^/]+\/src\/[^/]+|^apps\/(?:nextcloud|shell)|^apps\/[^/]+\/src\/[^/]+/.exec(
    path,
  )?.[0] ?? path

const isOurs = (path: string): boolean => /^(?:packages|apps)\/(?!nextcloud-stand-in|url-mode)[^/]+\/src\//.test(path)

function pathOf(url: string): string {
  const [address = ""] = url.split("?")
  const path = address.startsWith("file:") ? fileURLToPath(address) : address
  return path.startsWith(root) ? path.slice(root.length) : ""
}

function rankOf(path: string): number {
  const rank = layers.findIndex((layer) => layer.test(path))
  if (rank !== -1) return rank
  return /^apps\/(?:nextcloud|shell)\//.test(path) ? layers.length : layers.length + 1
}

async function coverageOf(session: Session, work: () => Promise<void>): Promise<Omit<Walk, "reversals">> {
  await session.post("Debugger.enable")
  await session.post("Profiler.enable")
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
  await work()
  const { result } = await session.post("Profiler.takePreciseCoverage")
  await session.post("Profiler.stopPreciseCoverage")
  const ran = result
    .map(({ scriptId, url, functions }) => ({
      scriptId,
      path: pathOf(url),
      functions: functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
    }))
    .filter(({ path, functions }) => isOurs(path) && functions.length > 0)
  const passOns = await Promise.all(
    ran.map(async ({ scriptId, path, functions }) => {
      const { scriptSource } = await session.post("Debugger.getScriptSource", { scriptId })
      return functions
        .filter(({ ranges: [range] }) => isPassOn(scriptSource.slice(range?.startOffset, range?.endOffset)))
        .filter(({ functionName }) => /^[\w$]+$/.test(functionName))
        .map(({ functionName }) => `${path}: ${functionName}`)
    }),
  )
  await session.post("Debugger.disable")
  return { files: [...new Set(ran.map(({ path }) => path))].sort(), passOns: [...new Set(passOns.flat())].sort() }
}

/** Whether the function's code, without types, is a single call with exactly its own parameters. */
export function isPassOn(code: string): boolean {
  const arrow = /^(?:async\s+)?(?:\(([^()]*)\)|([\w$]+))\s*=>\s*([\s\S]*)$/.exec(code)
  const plain = /^(?:async\s+)?(?:function\b\s*)?[\w$]*\s*\(([^()]*)\)\s*(\{[\s\S]*\})$/.exec(code)
  const [parameters, body] = arrow ? [arrow[1] ?? arrow[2], arrow[3]] : [plain?.[1], plain?.[2]]
  if (parameters === undefined || body === undefined || parameters.trim() === "") return false
  const statement = body.trim().replace(/^\{\s*(?:return\s+)?([^;{}]*);?\s*\}$/, "$1")
  const called = /^(?:await\s+|void\s+)?(?:\(0,\s*)?[\w$.#]+\)?\(([^()]*)\)$/.exec(statement.trim())
  const plainText = (text: string): string => text.replaceAll(/\s+|,\s*$/g, "")
  return called !== null && plainText(called[1] ?? "") === plainText(parameters)
}

async function reversalsOf(session: Session, work: () => Promise<void>): Promise<readonly string[]> {
  await session.post("Profiler.setSamplingInterval", { interval: 50 })
  await session.post("Profiler.start")
  await work()
  const { nodes } = (await session.post("Profiler.stop")).profile
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const edges = new Set<string>()
  const visit = (id: number, from: string): void => {
    const node = byId.get(id)
    const path = pathOf(node?.callFrame.url ?? "")
    const here = isOurs(path) ? path : from
    if (from !== "" && here !== from && rankOf(here) > rankOf(from)) edges.add(`${folderOf(from)} → ${folderOf(here)}`)
    for (const child of node?.children ?? []) visit(child, here)
  }
  visit(nodes[0]?.id ?? 0, "")
  return [...edges].sort()
}
