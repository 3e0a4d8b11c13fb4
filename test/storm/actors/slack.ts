// People in Slack: they mention the app and press the buttons of its questions, those of programs too, once or twice.

import { hasSlackEnd, joinSlackReply, outcomeIn } from "../history.ts"
import type { StormPerson } from "../people.ts"
import type { Random } from "../random.ts"
import { accountOf, buttonsOf } from "../slack.ts"
import { type Actor, again, linger, type World } from "../world.ts"

/** Mentions the app, and follows the thread until the reply has ended. */
export const mention = again(500, (world, random) => talk(world, random))

/** Presses buttons of direct messages. */
export const press: Actor = async (world, random) => {
  for (let round = 0; !world.over.aborted && (world.isBlowing() || round < 10_000); round++) {
    const own = random.fork(`round ${round}`)
    const person = own.pick(world.people)
    const account = world.slack.as(accountOf(person.subject))
    const asking = account.sees().filter((one) => buttonsOf(one).length > 0)
    if (asking.length > 0 && world.isBlowing()) await pressOne(world, own, person, own.pick(asking))
    if (!world.isBlowing()) return
    await linger(world, own.between(200, 800))
  }
}

type Message = ReturnType<World["slack"]["team"]>["messages"][number]

async function pressOne(world: World, random: Random, person: StormPerson, message: Message): Promise<void> {
  const said = random.chance(0.75) ? "yes" : "no"
  const button = buttonsOf(message).find(({ action_id }) => action_id === `holdpoint_${said}`)
  if (button?.value === undefined) return
  const { channel, ts } = message
  world.history.answers.push({
    ...{ question: button.value, by: person.subject, said, via: "Slack", sentAt: world.now(), words: "" },
  })
  const press = () => world.slack.as(accountOf(person.subject)).press({ channel, ts, button: button.action_id })
  // The message may change between the look and the press, as it does for people.
  const pressed = await Promise.all(random.chance(0.3) ? [press(), press()] : [press()]).catch(() => [])
  world.history.count("presses in Slack", pressed.filter(({ kind }) => kind === "acknowledged").length)
}

async function talk(world: World, random: Random): Promise<void> {
  const { history, slack } = world
  const person = random.pick(world.people)
  const account = slack.as(accountOf(person.subject))
  const key = history.newKey()
  const work = history.begin({ key, surface: "Slack", hasEffect: true, needsYes: true })
  const { ts, channel } = account.mention(`pay ${key}`)
  work.place = `${slack.team().id}:${channel}:${ts}`
  history.count("mentions in Slack")
  while (!world.over.aborted) {
    await linger(world, random.between(100, 300))
    const thread = slack.team().messages.filter((one) => one.thread_ts === ts && one.bot_id !== undefined)
    const asking = thread.find((one) => buttonsOf(one).some(({ action_id }) => action_id === "holdpoint_yes"))
    if (asking !== undefined) await pressOne(world, random, person, asking)
    work.words = thread.map(({ markdown, text }) => markdown ?? text).join("\n")
    if (asking === undefined && hasSlackEnd(work.words)) {
      work.told = outcomeIn(joinSlackReply(work.words), key)
      history.count("replies in Slack")
      return
    }
  }
  // Slack sends an event again after one and after five minutes, if no node has acknowledged it.
  work.isBegun = slack.courier.deliveries.some(({ event, outcome }) => event.ts === ts && outcome === "acknowledged")
}
