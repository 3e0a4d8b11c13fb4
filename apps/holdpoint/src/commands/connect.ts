// `holdpoint connect`: asks a person to connect an account, and waits until it is connected.

import { HoldpointError, isSettled } from "@holdpoint/hub"
import type { Accounts } from "../accounts.ts"
import { assertCanSignIn, ownerFlags, ownerOf, withVault } from "../accounts.ts"
import type { Call, Command, ExitCode } from "../command.ts"

export const connect: Command = {
  name: "connect",
  summary: "Connect an account for yourself, another person or a project.",
  usage: "PROVIDER [flags]",
  words: { least: 1, most: 1 },
  usesDatabase: true,
  flags: {
    ...ownerFlags,
    scope: { value: "SCOPE", help: "a scope to request; may be repeated", repeats: true },
    "no-wait": { help: "print the link and do not wait" },
  },
  notes: [
    "Prints a link to the pages of `holdpoint serve`, which has to run with the same settings.",
    "Your own link works with `holdpoint serve --local`. For a person who signs in, add --person and --issuer.",
    "A project's link is for people with the role admin in the project's tenant.",
    "Providers are configured in the settings.",
  ],
  run: (call) =>
    withVault(call, { mustExist: false }, async (accounts) => {
      const { vault, settings, hub } = accounts
      const owner = ownerOf(call, settings)
      await assertCanSignIn(owner, settings)
      const question = await vault.ask({
        owner,
        provider: call.args.words[0] ?? "",
        scopes: call.args.all("scope"),
        requester: { id: "holdpoint-connect", name: "The command holdpoint connect" },
        lifetimeMs: 30 * 60_000,
      })
      const url = question.mode === "url" ? question.url : ""
      if (call.args.has("json")) call.out.json({ id: question.id, url })
      else {
        call.out.say("Open this link to connect the account:")
        call.out.say(`  ${url}`)
      }
      if (settings.me.issuer === "local" && !["project", "person", "issuer"].some(call.args.has)) {
        call.out.note(
          "The link is for you on this machine, with `holdpoint serve --local`. For others, add --person and --issuer.",
        )
      }
      if (call.args.has("no-wait")) return 0
      call.out.note("Waiting for the account to be connected. Ctrl-C stops waiting; the link stays valid.")
      return printOutcome(call, accounts, question.id, await hub.wait(question.id, { signal: call.io.signal }))
    }),
}

async function printOutcome(
  call: Call,
  { hub, vault, settings }: Accounts,
  id: string,
  outcome: Awaited<ReturnType<Accounts["hub"]["wait"]>>,
): Promise<ExitCode> {
  const elicitation = await hub.get(id)
  if (outcome.status !== "completed") {
    const reason = outcome.reason?.message ?? outcome.reason?.code
    const status = elicitation !== undefined && isSettled(elicitation.status) ? elicitation.status : outcome.status
    throw new HoldpointError(
      "connection_needed",
      `The account was not connected: ${status}${reason === undefined ? "" : ` (${reason})`}.`,
    )
  }
  const connected = await vault.list(ownerOf(call, settings))
  const latest = connected
    .filter(({ provider, status }) => provider === call.args.words[0] && status === "active")
    .sort((a, b) => (b.activatedAt ?? 0) - (a.activatedAt ?? 0))[0]
  const account = latest?.account
  call.out.say(account === undefined ? "Connected." : `Connected as ${account.name ?? account.id}.`)
  return 0
}
