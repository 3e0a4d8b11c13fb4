// `holdpoint nextcloud doctor`: reports what works at a Nextcloud, which tools will be offered, and what is wrong.

import { createGuardedFetch, metadataLimits } from "@holdpoint/fetching/internal"
import { createAddresses, paths } from "@holdpoint/hub"
import { type Examination, examine, offeredBy, type ToolsByApp } from "@holdpoint/nextcloud/doctor"
import type { Call, ExitCode } from "../command.ts"
import { bold, dim, green, red, yellow } from "../output.ts"
import { toShownDatabase } from "../redact.ts"
import { unlessStopped } from "../stop-signal.ts"
import { createExchange, createSingle, networkOf, providerId } from "./accounts.ts"
import { type FoundAccount, findOwnAccount } from "./own-account.ts"
import { assertServable, type Plan, readPlan, returnAddress } from "./plan.ts"
import { askProvider } from "./provider.ts"
import type { Mode } from "./settings.ts"
import { judge, type ProviderState, type Verdict } from "./verdict.ts"

export async function doctor(call: Call): Promise<ExitCode> {
  const plan = await readPlan(call)
  // With --http the doctor reports what would prevent serving HTTP; without it, stdio and HTTP are both possible.
  if (plan.port !== undefined) assertServable(plan)
  call.out.progress(`Looking at ${plan.nextcloud.url} …`)
  const ownAccount = await findOwnAccount(call, plan)
  try {
    const report = await unlessStopped(call.io.signal, examineAll(plan, ownAccount.account, ownAccount.problem))
    call.out.clearProgress()
    const { url, mode } = plan.nextcloud
    if (call.args.has("json"))
      call.out.json({ ...report.examination, url, mode: mode.kind, tools: report.tools, verdict: report.verdict }, 2)
    else printFindings(call, plan, report)
    return report.verdict.isFine ? 0 : 1
  } finally {
    await ownAccount.close()
  }
}

interface Findings {
  readonly examination: Examination
  readonly tools: ToolsByApp
  readonly verdict: Verdict
}

async function examineAll(
  plan: Plan,
  ownAccount: FoundAccount | undefined,
  problem: string | undefined,
): Promise<Findings> {
  const { nextcloud, settings } = plan
  const { mode, url, toolsets, readOnly } = nextcloud
  // The same guarded fetch as the server's, so the doctor reaches nothing that the server would not. Answers are
  // limited in size.
  const fetch = createGuardedFetch({ ...metadataLimits, ...networkOf(nextcloud, settings) })
  const account =
    mode.kind === "single" ? await createSingle(nextcloud, mode).find({ principal: undefined }) : ownAccount
  const oauth = mode.kind === "offline" && mode.access.by === "oauth" ? { oauthClientId: mode.access.clientId } : {}
  const [basics, provider] = await Promise.all([
    examine({ url, fetch, ...oauth, ...(account === undefined ? {} : { account }) }),
    lookAtProvider(plan),
  ])
  const otherProblems = [problem, provider.problem].filter((words) => words !== undefined)
  const examination = { ...basics, problems: [...basics.problems, ...otherProblems] }
  const tools = await offeredBy({ toolsets, readOnly }, basics.account === undefined ? undefined : account)
  return { examination, tools, verdict: judge(mode, examination, provider) }
}

async function lookAtProvider({ nextcloud, settings }: Plan): Promise<ProviderState> {
  const { mode } = nextcloud
  if (mode.kind === "single" || mode.people === undefined) return {}
  const fetch = createGuardedFetch({ ...metadataLimits, ...networkOf(nextcloud, settings) })
  try {
    const { client: people, warning } = await askProvider(mode.people, fetch)
    if (warning !== undefined) return { problem: warning }
    if (mode.kind !== "pass-through" || mode.forwardsTokens) return {}
    return { tokenExchange: await (await createExchange({ ...mode, people }, fetch)).isOffered() }
  } catch (error) {
    return { problem: error instanceof Error ? error.message.replaceAll("\n", " ") : String(error) }
  }
}

function printFindings({ out }: Call, { nextcloud, settings }: Plan, { examination, tools, verdict }: Findings): void {
  const { server, ways, problems, apps, account, url } = examination
  out.say(bold(url), server === undefined ? "" : `  ${server.product} ${server.version}`)
  if (server !== undefined) {
    out.say("mode     ", modeWords[nextcloud.mode.kind])
    out.say("account  ", account ?? dim(noAccount[nextcloud.mode.kind]))
    out.say("apps     ", apps?.join(", ") ?? dim("seen with an account"))
  }
  if (nextcloud.mode.kind === "offline") out.say("kept in  ", toShownDatabase(settings.database))
  const redirectUri = returnAddress({ nextcloud, settings, port: undefined })
  if (redirectUri !== undefined && nextcloud.mode.kind === "offline" && nextcloud.mode.people === undefined)
    out.say("redirect ", redirectAt(redirectUri), dim("  on stdio; register it for the OAuth client"))
  if (ways.length > 0) out.say("")
  if (ways.length > 0) out.say(bold("ways to connect an account"))
  for (const { name, works, note } of ways) out.say(works ? green("✔ ") : yellow("– "), name, ": ", note)
  if (server !== undefined) printTools(out, nextcloud, tools, apps !== undefined)
  if (problems.length > 0) out.say("")
  for (const problem of problems) out.say(red("✘ "), problem)
  out.say("")
  out.say(verdict.isFine ? green("✔ ") : red("✘ "), verdict.words)
}

const redirectAt = (redirectUri: URL): string =>
  redirectUri.pathname === "/"
    ? createAddresses(redirectUri.origin).to(paths.consentReturnOf, providerId)
    : redirectUri.href

const modeWords: Readonly<Record<Mode["kind"], string>> = {
  single: "one account for all (NEXTCLOUD_USERNAME)",
  offline: "each person connects their own account",
  "pass-through": "pass-through: the caller's token, nothing is stored",
}

const noAccount: Readonly<Record<Mode["kind"], string>> = {
  single: "it does not work",
  offline: "your account is not connected yet",
  "pass-through": "the caller's",
}

function printTools(out: Call["out"], { readOnly }: Plan["nextcloud"], tools: ToolsByApp, isKnown: boolean): void {
  out.say("")
  const total = tools.reduce((sum, { offered }) => sum + offered.length, 0)
  out.say(bold(`${total} tools`), readOnly ? " (only those that change nothing)" : "", dim(isKnown ? "" : seenLater))
  for (const { app, offered, missing } of tools)
    out.say("  ", app.padEnd(14), missing === undefined ? `${offered.length}` : yellow(missing))
}

const seenLater = "  those of apps that the server does not have are left out once an account is connected"
