// Reads the setting of the ladder. Errors name the setting, and never repeat its value.

import { HoldpointError, type Problem } from "@holdpoint/hub"
import type { HoldpointOptions } from "@holdpoint/server"
import type { Settings } from "../config.ts"
import { toMilliseconds } from "../duration.ts"
import { suggest } from "../section.ts"

type Rung = NonNullable<HoldpointOptions["ladder"]>[number]

/** The ladder of the settings. Undefined without one: each outlet then has its own delay. */
export function readLadder({
  email,
  ladder,
  slack,
}: Pick<Settings, "email" | "ladder" | "slack">): readonly Rung[] | undefined {
  const outletNames = [...(slack === undefined ? [] : ["slack"]), ...(email === undefined ? [] : ["email"])]
  return ladder === undefined ? undefined : readRungs(ladder, outletNames)
}

const members = ["outlet", "after", "kinds"]
const kinds = [
  "approval",
  "credential_required",
  "mcp_elicitation",
  "shell",
  "tool_input_required",
  "a2a_input_required",
]

function readRungs(ladder: readonly unknown[], outletNames: readonly string[]): readonly Rung[] {
  const problems = ladder.flatMap((rung, index) => [...problemsOf(rung, `ladder[${index}]`, outletNames)])
  if (problems.length > 0)
    throw new HoldpointError("invalid_config", "The setting `ladder` cannot be used.", { problems })
  return (ladder as readonly RungSetting[]).map(({ outlet, after, kinds: onlyKinds }) => ({
    outlet,
    afterMs: toAfter(after) ?? 0,
    ...(onlyKinds === undefined ? {} : { kinds: onlyKinds }),
  }))
}

interface RungSetting {
  readonly outlet: string
  readonly after: unknown
  readonly kinds?: NonNullable<Rung["kinds"]>
}

function* problemsOf(rung: unknown, path: string, outletNames: readonly string[]): Generator<Problem> {
  if (typeof rung !== "object" || rung === null || Array.isArray(rung)) {
    yield { path, message: 'must be an object such as { outlet: "email", after: "10m" }.' }
    return
  }
  const { outlet, after, kinds: onlyKinds = [] }: Readonly<Record<string, unknown>> = { ...rung }
  for (const name of Object.keys(rung).filter((one) => !members.includes(one)))
    yield { path: `${path}.${name}`, message: "is not a setting.", suggestion: suggest(name, members) }
  if (!outletNames.includes(String(outlet)))
    yield {
      path: `${path}.outlet`,
      message: "is not an outlet that is set up here.",
      suggestion: outletProblem(outlet, outletNames),
    }
  if (toAfter(after) === undefined)
    yield { path: `${path}.after`, message: "must be a time such as 0s, 10m or 2h, or never." }
  for (const kind of Array.isArray(onlyKinds) ? onlyKinds : [onlyKinds])
    if (!kinds.includes(String(kind)))
      yield { path: `${path}.kinds`, message: "is not a kind of question.", suggestion: suggest(String(kind), kinds) }
}

const outletProblem = (outlet: unknown, outletNames: readonly string[]): string =>
  outletNames.length === 0 ? "Set up email or slack first." : suggest(String(outlet), outletNames)

function toAfter(after: unknown): Rung["afterMs"] | undefined {
  if (after === "never") return after
  if (typeof after === "string") return toMilliseconds(after)
  return Number.isSafeInteger(after) && Number(after) >= 0 ? Number(after) : undefined
}
