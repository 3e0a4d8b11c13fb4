// /inbox/{id}/timeline: the steps of a question, and of the run or call that asked it. The page shows a person only
// their own questions, and only the steps of the call that belong to these questions.

import type { Elicitation, Entry } from "@holdpoint/hub"
import { canAnswer, isSamePerson, type Principal, paths } from "@holdpoint/hub"
import { createTimeline, pathTo, readTrail } from "@holdpoint/hub/internal"
import type { TimelineStepView } from "../web/index.ts"
import { buttonLabelOf, timelinePage } from "../web/index.ts"
import { findQuestion, toTopWithTime } from "./inbox.ts"
import { toPage } from "./respond.ts"
import type { Route, Site } from "./site.ts"

export const showTimeline: Route = async (visit) => {
  const linked = await findQuestion(visit, "timeline")
  if (linked instanceof Response) return linked
  const { site } = visit
  const { guest, elicitation } = linked
  const { id, requester, message } = elicitation
  const view = {
    ...{ ...toTopWithTime(site, guest), message, question: pathTo(paths.question, id) },
    requester: { name: requester.name ?? requester.id },
    steps: await stepsOf(site, guest.principal, elicitation),
  }
  return toPage(timelinePage(view), { cookies: guest.cookies })
}

async function stepsOf(site: Site, person: Principal, elicitation: Elicitation): Promise<readonly TimelineStepView[]> {
  const ofCall = isFor(elicitation, person) ? await readCall(site, elicitation) : []
  const askedIds = ofCall
    .filter(({ kind, detail }) => kind === "asked" && isAnswerable(detail, person))
    .map(({ id }) => id)
  const ids = [...new Set([elicitation.id, ...askedIds])].slice(0, mostQuestions)
  const questions = new Map(
    (await Promise.all(ids.map((id) => site.hub.get(id)))).flatMap((one) => (one === undefined ? [] : [[one.id, one]])),
  )
  const ofQuestions = await Promise.all(ids.map((id) => readTrail({ read: site.hub.trail }, id)))
  const entries = new Map([...ofCall.filter(isOfCall), ...ofQuestions.flat()].map((entry) => [entry.position, entry]))
  const isRun = ofCall.some(({ kind }) => kind === "run")
  const timeline = createTimeline()
  return (
    [...entries.values()]
      .sort((a, b) => a.position - b.position)
      // In a run, `effect` and `asker` entries are left out: its `run` entries say the same in more detail.
      .filter(({ kind }) => !isRun || (kind !== "effect" && kind !== "asker"))
      .flatMap((entry) => {
        const question = questions.get(entry.id)
        const item = timeline.add(entry, question?.said)
        return item === undefined ? [] : [toStep(entry, item, { person, question, isOneOfMany: ids.length > 1 })]
      })
  )
}

const mostQuestions = 50
const mostEntries = 1_000

/** Whether the question is for this person only. The call that asked it then belongs to this person, too. */
const isFor = ({ audience }: Elicitation, person: Principal): boolean =>
  audience.kind === "one" && isSamePerson(audience.principal, person)

const isAnswerable = ({ audience }: Entry["detail"], person: Principal): boolean =>
  audience !== undefined && canAnswer({ audience }, person)

/** Whether the entry is about the call or run itself, and not about one of its questions. */
const isOfCall = ({ kind }: Entry): boolean => kind === "run" || kind === "call" || kind === "call_cancelled"

/** Reads the trail entries of the call that asked the question. */
async function readCall({ hub }: Site, { tenant, parent }: Elicitation): Promise<readonly Entry[]> {
  return parent === undefined ? [] : hub.trail({ tenant, parent, limit: mostEntries })
}

interface StepContext {
  readonly person: Principal
  readonly question: Elicitation | undefined
  readonly isOneOfMany: boolean
}

function toStep(
  { at, detail: { by } }: Entry,
  item: TimelineStepView["item"],
  { person, question, isOneOfMany }: StepContext,
): TimelineStepView {
  const buttonLabel = question === undefined ? undefined : buttonLabelOf(question)
  return {
    ...{ at, item, isByYou: by !== undefined && isSamePerson(by, person) },
    ...(buttonLabel === undefined ? {} : { buttonLabel }),
    ...(question !== undefined && isOneOfMany ? { questionMessage: question.message } : {}),
    ...(question?.client === undefined ? {} : { client: question.client }),
  }
}
