// The settings on the account page about how questions reach a person: the delay of each outlet, and quiet hours.
// Changes apply to messages that were not sent yet.

import { paths } from "@holdpoint/hub"
import type { Trigger } from "@holdpoint/hub/internal"
import {
  delayOf,
  type OwnLadder,
  type QuietHours,
  quietHoursProblems,
  type Rung,
  type RungDelay,
} from "@holdpoint/hub/internal"
import type { OwnLadders } from "../identity/ladder.ts"
import type { AfterView, ReachView } from "../web/index.ts"
import type { Guest } from "./guest.ts"
import type { Site } from "./site.ts"

/** The parts that the pages need to show and to change how questions reach people. */
export interface PageReach {
  readonly ownLadders: OwnLadders
  /** The default delays for everyone. */
  readonly rungs: readonly Rung[]
  /** The names of the lasting outlets. */
  readonly outlets: readonly string[]
}

/** The quiet hours that a person entered and that are invalid, with their problems. */
export interface ReachDetails {
  readonly quietHours: Omit<QuietHours, "urgent"> & { readonly urgent: boolean }
  readonly problems: NonNullable<ReachView["problems"]>
}

/** The names of the kinds of question, for people. Kinds that no part of this server asks are omitted. */
export const questionKinds: readonly { readonly kind: Trigger; readonly title: string; readonly about: string }[] = [
  { kind: "approval", title: "Approvals and other questions", about: "approvals and other questions from programs" },
  { kind: "credential_required", title: "Accounts to connect", about: "accounts to connect" },
  { kind: "mcp_elicitation", title: "Questions from MCP tools", about: "questions from MCP tools" },
  { kind: "tool_input_required", title: "Questions from agents", about: "questions from agents" },
  { kind: "shell", title: "Questions from scripts", about: "questions from scripts" },
]

const minute = 60_000
const times: readonly (readonly [RungDelay, string])[] = [
  [0, "At once"],
  [5 * minute, "After 5 minutes"],
  [10 * minute, "After 10 minutes"],
  [30 * minute, "After 30 minutes"],
  [60 * minute, "After 1 hour"],
  [240 * minute, "After 4 hours"],
  ["never", "Never"],
]

/** Creates the view of a person's settings. Undefined if no outlet notifies people of questions. */
export async function reachOf(site: Site, guest: Guest, rejected?: ReachDetails): Promise<ReachView | undefined> {
  const { reach } = site
  if (reach === undefined || reach.outlets.length === 0) return undefined
  const ownLadder = await reach.ownLadders.get(guest.principal)
  return {
    action: paths.reach,
    places: reach.outlets.map((outlet) => {
      const title = titleOf(site, outlet)
      const toDelay = (setting: ReachSetting, name: string) => toAfter(reach, ownLadder, { ...setting, title: name })
      return {
        title,
        all: toDelay({ outlet }, title),
        kinds: questionKinds.map(({ kind, title: name }) => toDelay({ outlet, kind }, name)),
      }
    }),
    quietHours: rejected?.quietHours ?? ownLadder.quiet ?? { from: "", to: "", zone: "", urgent: true },
    ...(rejected === undefined ? {} : { problems: rejected.problems }),
  }
}

/** Saves the posted settings. Returns the problems with the quiet hours; nothing is saved then. */
export async function saveReach(
  { reach, hub }: Site,
  { principal }: Guest,
  fields: URLSearchParams,
): Promise<ReachDetails | undefined> {
  if (reach === undefined) return undefined
  const fieldText = (name: string): string => (fields.get(name) ?? "").trim()
  const quietHours = {
    from: fieldText("from"),
    to: fieldText("to"),
    zone: fieldText("zone"),
    urgent: fields.has("urgent"),
  }
  const isEmpty = quietHours.from === "" && quietHours.to === ""
  const problems = isEmpty ? [] : quietHoursProblems(quietHours)
  if (problems.length > 0)
    return { quietHours, problems: problems.map(({ path, message }) => ({ path, message: `This ${message}.` })) }
  await reach.ownLadders.setQuiet(principal, isEmpty ? undefined : quietHours)
  for (const outlet of reach.outlets) {
    for (const setting of [{ outlet }, ...questionKinds.map(({ kind }) => ({ outlet, kind }))]) {
      const value = fields.get(fieldOf(setting))
      if (value === "") await reach.ownLadders.set(principal, setting, undefined)
      else if (times.some(([after]) => String(after) === value))
        await reach.ownLadders.set(principal, setting, value === "never" ? value : Number(value))
    }
  }
  await hub.reschedule(principal)
  return undefined
}

interface ReachSetting {
  readonly outlet: string
  readonly kind?: Trigger
}

const fieldOf = ({ outlet, kind }: ReachSetting): string => (kind === undefined ? outlet : `${outlet} ${kind}`)

/** The name of an outlet for people: that of its part. */
const titleOf = ({ parts }: Site, outlet: string): string => parts.find(({ name }) => name === outlet)?.title ?? outlet

type TitledSetting = ReachSetting & { readonly title: string }

function toAfter({ rungs }: PageReach, ownLadder: OwnLadder, setting: TitledSetting): AfterView {
  const { outlet, kind, title } = setting
  const chosenDelay = ownLadder.rungs.find(
    (rung) => rung.outlet === outlet && (kind === undefined ? rung.kinds === undefined : rung.kinds?.includes(kind)),
  )?.afterMs
  const delayForAll = (someRungs: readonly Rung[]): RungDelay | undefined =>
    someRungs.findLast((rung) => rung.outlet === outlet && rung.kinds === undefined)?.afterMs
  const configured =
    kind === undefined ? delayForAll(rungs) : (delayForAll(ownLadder.rungs) ?? delayOf(rungs, outlet, kind))
  const isListed = chosenDelay === undefined || times.some(([after]) => after === chosenDelay)
  const offeredTimes = isListed ? times : [...times, [chosenDelay, wordsOf(chosenDelay)] as const]
  return {
    name: fieldOf(setting),
    title,
    usual: wordsOf(configured ?? 0).toLowerCase(),
    chosen: chosenDelay === undefined ? "" : String(chosenDelay),
    options: offeredTimes.map(([after, title]) => ({ value: String(after), title })),
  }
}

function wordsOf(after: RungDelay): string {
  const label = times.find(([one]) => one === after)?.[1]
  return label ?? `After ${exactWords(Number(after))}`
}

/** Writes a duration in the largest unit of which it is a whole number: “90 seconds”, “45 minutes”, “2 hours”. */
function exactWords(ms: number): string {
  const [length, unit] = exactUnits.find(([size]) => ms % size === 0) ?? ([1_000, "second"] as const)
  const count = Math.round(ms / length)
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}

const exactUnits = [
  [60 * minute, "hour"],
  [minute, "minute"],
] as const
