// The ladder with people's own settings: the delay before a place notifies them of a question, for all kinds of
// question or one kind, and their quiet hours. Each setting is stored as a preference, a small text.

import type { PrincipalId } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import type { Ladder, OwnLadder, QuietHours, Rung, RungDelay, Trigger } from "@holdpoint/hub/internal"
import { quietHoursProblems, timeOfRung } from "@holdpoint/hub/internal"
import type { Choices } from "./choices.ts"

/** People's own settings of how questions reach them. */
export interface OwnLadders {
  get(person: PrincipalId): Promise<OwnLadder>
  /** Sets the delay for one kind of question, or without `kind` for all kinds. Undefined resets to the default. */
  set(person: PrincipalId, setting: LadderSetting, delay: RungDelay | undefined): Promise<void>
  /** Sets the quiet hours. Undefined removes them. Throws when they are invalid. */
  setQuiet(person: PrincipalId, quiet: QuietHours | undefined): Promise<void>
}

export interface LadderSetting {
  readonly outlet: string
  readonly kind?: Trigger
}

const quietName = "quiet hours"
const nameOf = ({ outlet, kind }: LadderSetting): string =>
  kind === undefined ? `ladder ${outlet}` : `ladder ${outlet} ${kind}`

/** Stores people's own settings of how questions reach them. */
export function createOwnLadders(choices: Choices): OwnLadders {
  return {
    get: async (person) => readOwnLadder(await choices.all(person)),
    set: (person, setting, delay) =>
      delay === undefined
        ? choices.clear(person, nameOf(setting))
        : choices.set(person, nameOf(setting), String(delay)),
    async setQuiet(person, quiet) {
      if (quiet === undefined) return choices.clear(person, quietName)
      const problems = quietHoursProblems(quiet)
      if (problems.length > 0)
        throw new HoldpointError("invalid_config", "The quiet hours cannot be used.", { problems })
      const { from, to, zone, urgent } = quiet
      await choices.set(person, quietName, [from, to, zone, urgent ? "urgent" : "silent"].join(" "))
    },
  }
}

/** The options of `createLadder`. */
export interface LadderOptions {
  readonly ownLadders: Pick<OwnLadders, "get">
  /** The default delays for everyone. An outlet that is not listed notifies immediately. */
  readonly rungs: readonly Rung[]
}

/** Creates the ladder of a hub: the default order of places for everyone, and people's own settings. */
export function createLadder({ ownLadders, rungs }: LadderOptions): Ladder {
  return {
    async timeOf({ context, createdAt, expiresAt }, { outlet, person, startsAt }) {
      const placement = {
        outlet,
        kind: context.trigger,
        createdAt,
        expiresAt,
        ...(startsAt === undefined ? {} : { startsAt }),
      }
      return timeOfRung(placement, rungs, await ownLadders.get(person))
    },
  }
}

function readOwnLadder(choiceByName: ReadonlyMap<string, string>): OwnLadder {
  const rungs = [...choiceByName].flatMap(([name, value]): Rung[] => {
    const [word, outlet, kind] = name.split(" ")
    const afterMs = value === "never" ? value : Number(value)
    if (word !== "ladder" || outlet === undefined || Number.isNaN(afterMs)) return []
    return [{ outlet, afterMs, ...(kind === undefined ? {} : { kinds: [kind as Trigger] }) }]
  })
  const quiet = readQuiet(choiceByName.get(quietName))
  return { rungs, ...(quiet === undefined ? {} : { quiet }) }
}

/**
 * Reads stored quiet hours. A time zone that this runtime does not know is ignored, so that it does not stop messages.
 */
function readQuiet(text: string | undefined): QuietHours | undefined {
  const [from, to, zone, urgent] = text?.split(" ") ?? []
  if (from === undefined || to === undefined || zone === undefined) return undefined
  const quiet = { from, to, zone, urgent: urgent !== "silent" }
  return quietHoursProblems(quiet).length === 0 ? quiet : undefined
}
