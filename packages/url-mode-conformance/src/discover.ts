// Finds out which revisions the server speaks, and which of its tools ask. Tools are tried only when none was named; only
// those without required arguments and without destructiveHint.

import type { Mode, Tools } from "./check-context.ts"
import { both, createCheckContext } from "./check-context.ts"
import type { Received } from "./exchange.ts"
import { dig } from "./json.ts"
import { openSession } from "./legacy.ts"
import { sendModern } from "./modern.ts"
import type { UrlModeRevision, UrlModeTarget, UrlModeTool } from "./target.ts"

const wellKnown: Readonly<Record<Mode, string>> = { url: "test_url_elicitation", form: "test_form_elicitation" }
const most = 20

/** Why the server does not speak the revision; undefined when it does. */
export async function whyNot(target: UrlModeTarget, revision: UrlModeRevision): Promise<string | undefined> {
  const line = { target, revision, who: "first", log: [] as Received[] } as const
  if (revision === "2026-07-28") {
    const request = { method: "server/discover", params: {}, capabilities: both }
    const { message, status } = await sendModern(line, request).reply
    const versions = dig(message, "result", "supportedVersions")
    if (Array.isArray(versions) && versions.includes(revision)) return undefined
    return `the server does not speak ${revision}: server/discover gave HTTP ${status} and no such version`
  }
  const opened = await openSession(line, both)
  if ("refused" in opened) return `the server does not speak ${revision}: it ${opened.refused}`
  await opened.session.close()
  return undefined
}

export async function discoverTools(target: UrlModeTarget, revision: UrlModeRevision): Promise<Tools> {
  if (target.urlTool !== undefined || target.formTool !== undefined) return toTools(target, {})
  const context = createCheckContext(target, { revision, tools: {}, log: [], asked: new Set() })
  const found = await toolsOf(target, revision)
  let tools: Tools = { tried: Math.min(found.length, most), untried: Math.max(0, found.length - most) }
  const known = Object.values(wellKnown)
  const order = [...found].sort((a, b) => Number(known.includes(b.name)) - Number(known.includes(a.name)))
  try {
    for (const tool of order.slice(0, most)) {
      const { callState } = await context.call(tool)
      const modes = callState.kind === "asked" ? callState.questions.map(({ mode }) => mode) : []
      if (tools.url === undefined && modes.includes("url")) tools = { ...tools, url: tool }
      if (tools.form === undefined && modes.includes("form")) tools = { ...tools, form: tool }
      if (tools.url !== undefined && tools.form !== undefined) break
    }
  } finally {
    await context.close()
  }
  return tools
}

/** The tools that the target names, otherwise those that were found. */
export function toTools({ urlTool, formTool }: UrlModeTarget, found: Tools): Tools {
  const url = typeof urlTool === "function" ? urlTool() : (urlTool ?? found.url)
  const form = formTool ?? found.form
  return { ...found, ...(url === undefined ? {} : { url }), ...(form === undefined ? {} : { form }) }
}

async function toolsOf(target: UrlModeTarget, revision: UrlModeRevision): Promise<readonly UrlModeTool[]> {
  const line = { target, revision, who: "first", log: [] as Received[] } as const
  const list = async (): Promise<unknown> => {
    if (revision === "2026-07-28") {
      return (await sendModern(line, { method: "tools/list", params: {}, capabilities: both }).reply).message
    }
    const opened = await openSession(line, both)
    if ("refused" in opened) return undefined
    const { message } = await opened.session.request("tools/list", {}).reply
    await opened.session.close()
    return message
  }
  const listed = dig(await list(), "result", "tools")
  return (Array.isArray(listed) ? listed : []).flatMap((tool) =>
    mayTry(tool) ? [{ name: String(dig(tool, "name")) }] : [],
  )
}

function mayTry(tool: unknown): boolean {
  const required = dig(tool, "inputSchema", "required")
  const needsNothing = !Array.isArray(required) || required.length === 0
  return typeof dig(tool, "name") === "string" && needsNothing && dig(tool, "annotations", "destructiveHint") !== true
}
