// Other agents that give tasks over A2A: they send each message until it is answered, with the same id, answer questions in
// the task or elsewhere, and cancel now and then.

import { answer, byApi, type Route } from "../answering.ts"
import { outcomeIn } from "../history.ts"
import type { StormPerson } from "../people.ts"
import type { Random } from "../random.ts"
import { again, insist, linger, type World } from "../world.ts"

export const a2a = again(200, (world, random) => giveTask(world, random))

interface Task {
  readonly id: string
  readonly status: { readonly state: string; readonly message?: { readonly parts: readonly Part[] } }
  readonly artifacts?: readonly { readonly parts: readonly Part[] }[]
}

interface Part {
  readonly text?: string
  readonly data?: { readonly type?: string; readonly elicitationId: string; readonly message?: string }
}

const path = "/a2a/clerk"

const request = (person: StormPerson, method: string, params: object): RequestInit => ({
  method: "POST",
  headers: { ...person.token("/a2a"), "a2a-version": "1.0" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
})

const message = (messageId: string, parts: readonly object[], more: object = {}) => ({
  message: { messageId, role: "ROLE_USER", parts, ...more },
})

async function call(world: World, person: StormPerson, method: string, params: object): Promise<Task | string> {
  for (;;) {
    const sent = await insist(world, path, request(person, method, params))
    if (sent === undefined) return "over"
    const { result, error } = sent.body as {
      readonly result?: Partial<Task> & { readonly task?: Task }
      readonly error?: { readonly message: string; readonly code: number }
    }
    const task = result?.task ?? result
    if (task?.id !== undefined && task.status !== undefined) return task as Task
    // An error inside of the server says that the request may be sent again.
    if (error?.code !== -32_603) return error?.message ?? `refused with ${sent.status}`
    world.history.count("A2A internal errors")
    await linger(world, 300)
  }
}

async function giveTask(world: World, random: Random): Promise<void> {
  const { history } = world
  const person = random.pick(world.people)
  const key = history.newKey()
  const tool = random.pick(["pay", "transfer"])
  const work = history.begin({ key, surface: `A2A ${tool}`, hasEffect: true, needsYes: true })
  const configuration = { returnImmediately: random.chance(0.5) }
  const sent = await call(world, person, "SendMessage", {
    ...message(`m-${key}`, [{ text: `${tool} ${key}` }]),
    configuration,
  })
  if (typeof sent === "string") return void Object.assign(work, { isBegun: sent === "over", words: sent })
  history.count("A2A tasks")
  let [task, isCancelled]: [Task, boolean] = [sent, false]
  const asked = new Map<string, Promise<void>>()
  while (!world.over.aborted && !isOver(task)) {
    for (const { elicitationId: id, message: words = "" } of questionsOf(task)) {
      if (asked.has(id)) continue
      history.count("questions seen")
      const yes: Readonly<Record<string, unknown>> = words.startsWith("What is")
        ? { purpose: "rent" }
        : { confirmed: "yes" }
      const routes = { http: byApi, a2a: byTask(task.id) }
      asked.set(id, answer(world, random.fork(`answer ${asked.size}`), { person, question: { id, yes }, routes }))
    }
    if (!isCancelled && random.chance(0.03)) {
      isCancelled = true
      history.count("A2A tasks cancelled")
      history.notes.push({ key, at: world.now(), words: "is cancelled" })
      await call(world, person, "CancelTask", { id: task.id })
    }
    await linger(world, random.between(50, 300))
    const next = await call(world, person, "GetTask", { id: task.id })
    if (typeof next !== "string") task = next
  }
  await Promise.all(asked.values())
  if (!isOver(task)) return
  const state = task.status.state.replace("TASK_STATE_", "")
  const texts = [...(task.artifacts ?? []).flatMap(({ parts }) => parts), ...(task.status.message?.parts ?? [])]
  work.words = `${state}: ${texts.map(({ text = "" }) => text).join("\n")}`
  // A task that was cancelled says nothing about what had begun.
  work.told = state === "CANCELED" ? "unknown" : outcomeIn(work.words, key)
  history.count("A2A tasks ended")
}

const isOver = ({ status }: Task): boolean => /COMPLETED|FAILED|CANCELED|REJECTED/.test(status.state)

const questionsOf = ({ status }: Task) =>
  (status.message?.parts ?? []).flatMap(({ data }) => (data?.type === "elicitation-request" ? [data] : []))

/** A message in the task. Its id is made from the answer, so that sending it again answers nothing else. */
const byTask =
  (taskId: string): Route =>
  (person, { id, yes }, said) => {
    const content = said === "yes" ? { action: "accept", content: yes } : { action: "decline" }
    const data = { type: "elicitation-response", elicitationId: id, ...content }
    const params = message(`${id} ${said}`, [{ data }], { taskId })
    return [path, request(person, "SendMessage", { ...params, configuration: { returnImmediately: true } })]
  }
