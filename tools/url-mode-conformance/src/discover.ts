// Finds out which revisions the server speaks, and which of its tools ask. It calls tools only when the target names
// none, and leaves out tools with required arguments or destructiveHint.

import type { Mode, Tools } from "./check-context.ts"
import { bothModes, createCheckContext } from "./check-context.ts"
import type { ReceivedMessage } from "./exchange.ts"
import { dig } from "./json.ts"
import { openSession } from "./legacy-session.ts"
import { sendModern } from "./modern-client.ts"
import type { UrlModeRevision, UrlModeTarget, UrlModeTool } from "./target.ts"

const wellKnownTools: Readonly<Record<Mode, string>> = { url: "test_url_elicitation", form: "test_form_elicitation" }
const maxTools = 20

/** The reason why the server does not speak the revision; undefined when it speaks it. */
export async function findUnsupportedReason(
  target: UrlModeTarget,
  revision: UrlModeRevision,
): Promise<string | undefined> {
  const client = { target, revision, person: "first", log: [] as ReceivedMessage[] } as const
  if (revision === "2026-07-28") {
    const request = { method: "server/discover", params: {}, capabilities: bothModes }
    const { message, status } = await sendModern(client, request).reply
    const versions = dig(message, "result", "supportedVersions")
    if (Array.isArray(versions) && versions.includes(revision)) return undefined
    return `the server does not speak ${revision}: server/discover gave HTTP ${status} and no such version`
  }
  const sessionResult = await openSession(client, bothModes)
  if ("refusal" in sessionResult) return `the server does not speak ${revision}: it ${sessionResult.refusal}`
  await sessionResult.session.close()
  return undefined
}

export async function discoverTools(target: UrlModeTarget, revision: UrlModeRevision): Promise<Tools> {
  if (target.urlTool !== undefined || target.formTool !== undefined) return toTools(target, {})
  const context = createCheckContext(target, { revision, tools: {}, log: [], askedKeys: new Set() })
  const candidates = await toolsOf(target, revision)
  let tools: Tools = {
    triedCount: Math.min(candidates.length, maxTools),
    untriedCount: Math.max(0, candidates.length - maxTools),
  }
  const wellKnownNames = Object.values(wellKnownTools)
  const orderedTools = [...candidates].sort(
    (a, b) => Number(wellKnownNames.includes(b.name)) - Number(wellKnownNames.includes(a.name)),
  )
  try {
    for (const tool of orderedTools.slice(0, maxTools)) {
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

/** The tools that the target names; otherwise the discovered tools. */
export function toTools({ urlTool, formTool }: UrlModeTarget, discovered: Tools): Tools {
  const url = typeof urlTool === "function" ? urlTool() : (urlTool ?? discovered.url)
  const form = formTool ?? discovered.form
  return { ...discovered, ...(url === undefined ? {} : { url }), ...(form === undefined ? {} : { form }) }
}

async function toolsOf(target: UrlModeTarget, revision: UrlModeRevision): Promise<readonly UrlModeTool[]> {
  const client = { target, revision, person: "first", log: [] as ReceivedMessage[] } as const
  const list = async (): Promise<unknown> => {
    if (revision === "2026-07-28") {
      return (await sendModern(client, { method: "tools/list", params: {}, capabilities: bothModes }).reply).message
    }
    const sessionResult = await openSession(client, bothModes)
    if ("refusal" in sessionResult) return undefined
    const { message } = await sessionResult.session.request("tools/list", {}).reply
    await sessionResult.session.close()
    return message
  }
  const listedTools = dig(await list(), "result", "tools")
  return (Array.isArray(listedTools) ? listedTools : []).flatMap((tool) =>
    isSafeToTry(tool) ? [{ name: String(dig(tool, "name")) }] : [],
  )
}

function isSafeToTry(tool: unknown): boolean {
  const requiredNames = dig(tool, "inputSchema", "required")
  const needsNoArguments = !Array.isArray(requiredNames) || requiredNames.length === 0
  return (
    typeof dig(tool, "name") === "string" && needsNoArguments && dig(tool, "annotations", "destructiveHint") !== true
  )
}
