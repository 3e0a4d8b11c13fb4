// `holdpoint nextcloud doctor`: what works at a Nextcloud, what will be offered, and what is wrong, in words.

import { type Examination, examine, offeredBy, type ToolsByApp } from "@holdpoint/nextcloud"
import type { Call, ExitCode } from "../command.ts"
import { bold, dim, green, red, yellow } from "../output.ts"
import { createSingle } from "./accounts.ts"
import { type Plan, readPlan } from "./place.ts"
import type { Mode } from "./settings.ts"

export async function doctor(call: Call): Promise<ExitCode> {
  const plan = await readPlan(call)
  const { nextcloud } = plan
  const { mode, url, toolsets, readOnly } = nextcloud
  call.out.progress(`Looking at ${url} …`)
  const account =
    mode.kind === "single" ? await createSingle(nextcloud, mode).find({ principal: undefined }) : undefined
  const found = await examine({
    url,
    fetch: (at, init) => fetch(at, init),
    ...(account === undefined ? {} : { account }),
  })
  const tools = await offeredBy({ toolsets, readOnly }, account)
  call.out.clearProgress()
  const verdict = judge(mode, found)
  if (call.given.has("json")) call.out.json({ ...found, mode: mode.kind, tools, verdict }, 2)
  else tell(call, plan, found, tools, verdict)
  return verdict.isFine ? 0 : 1
}

interface Verdict {
  readonly isFine: boolean
  readonly words: string
}

/** Whether people will get in by the way that is set up. */
function judge(mode: Mode, { server, ways, problems, account }: Examination): Verdict {
  if (server === undefined) return { isFine: false, words: "There is no Nextcloud to be reached at this address." }
  if (server.maintenance) return { isFine: false, words: "Wait until the maintenance is over." }
  if (mode.kind === "single")
    return account === undefined
      ? { isFine: false, words: problems.at(-1) ?? "The account does not work." }
      : { isFine: true, words: `Everybody who reaches this server works as ${account}.` }
  if (mode.kind === "pass-through")
    return {
      isFine: true,
      words: `Callers' tokens are exchanged at ${mode.people.issuer}; that is seen with the first call.`,
    }
  const name = { login_flow: "Login flow v2", oauth: "OAuth 2 of the core", oidc: "OpenID Connect (app oidc)" }[
    mode.access.by
  ]
  const way = ways.find((one) => one.name === name)
  if (way?.works === true) return { isFine: true, words: `Each person connects their own account by: ${name}.` }
  return { isFine: false, words: `${name} is set up, and will not work: ${way?.note ?? "nobody knows why"}.` }
}

function tell(
  { out }: Call,
  { nextcloud, settings }: Plan,
  found: Examination,
  tools: ToolsByApp,
  verdict: Verdict,
): void {
  const { server, ways, problems, apps, account, url } = found
  out.say(bold(url), server === undefined ? "" : `  ${server.product} ${server.version}`)
  if (account !== undefined) out.say("account  ", account)
  if (apps !== undefined) out.say("apps     ", apps.join(", "))
  else if (server !== undefined) out.say("apps     ", dim("seen once an account is connected"))
  if (nextcloud.mode.kind === "offline") out.say("kept in  ", settings.database)
  if (ways.length > 0) out.say("")
  for (const { name, works, note } of ways) out.say(works ? green("✔ ") : yellow("– "), name, ": ", note)
  if (server !== undefined) tellTools(out, nextcloud, tools)
  if (problems.length > 0) out.say("")
  for (const problem of problems) out.say(red("✘ "), problem)
  out.say("")
  out.say(verdict.isFine ? green("✔ ") : red("✘ "), verdict.words)
}

function tellTools(out: Call["out"], { readOnly }: Plan["nextcloud"], tools: ToolsByApp): void {
  out.say("")
  const total = tools.reduce((sum, { offered }) => sum + offered.length, 0)
  out.say(bold(`${total} tools`), readOnly ? " (only those that change nothing)" : "")
  for (const { app, offered, missing } of tools) {
    const note = missing === undefined ? `${offered.length}` : missing
    out.say("  ", app.padEnd(14), missing === undefined ? note : yellow(note))
  }
}
