// The actions of people in Slack: write messages, mention the app, press buttons, fill in modals.

import type { Courier } from "./deliver.ts"
import { type EnteredValues, fillIn } from "./inputs.ts"
import { elementsOf } from "./limits/blocks.ts"
import { type Fields, isFields } from "./limits/check.ts"
import { checkView } from "./limits/views.ts"
import { storeView, viewToWire } from "./methods/views.ts"
import type { DeliveryResult } from "./sockets.ts"
import {
  directChannel,
  type Message,
  messageAt,
  type OpenView,
  replaceMessage,
  type Team,
  toWire,
  type World,
} from "./world.ts"

export interface Conversation {
  readonly channel?: string
  readonly thread?: string
}

/** A press of an element in a message. */
export interface Press {
  readonly channel: string
  readonly ts: string
  /** The button's action_id or its text. */
  readonly button: string
}

export interface SubmitResult {
  readonly isClosed: boolean
  readonly errors: Readonly<Record<string, string>>
  /** The error that Slack shows when the app's response was late or invalid. */
  readonly trouble?: string
}

export interface Person {
  readonly id: string
  readonly directChannel: string
  /** Writes a message in a channel or to the app. */
  say(text: string, conversation?: Conversation): Message
  mention(text: string, conversation?: Conversation): Message
  edit(message: Message, text: string): void
  press(press: Press): Promise<DeliveryResult>
  /** The modal that this person has open. */
  modal(): OpenView | undefined
  submit(entered: EnteredValues): Promise<SubmitResult>
  closeModal(): Promise<void>
  /** The messages that this person sees in a channel or thread, oldest first. */
  sees(conversation?: Conversation): readonly Message[]
}

export interface PersonParts {
  readonly world: World
  readonly courier: Courier
  readonly tell: (team: Team, event: Fields) => void
  readonly url: () => string
}

export function createPerson(acting: PersonParts, team: Team, id: string): Person {
  const { world, courier, tell } = acting
  const own = directChannel(team, id).id
  const user = team.users.get(id)
  if (user === undefined) throw new Error(`The workspace ${team.id} has no person ${id}.`)

  function say(text: string, { channel = own, thread }: Conversation = {}): Message {
    const kind = team.channels.get(channel)?.kind
    if (kind === undefined) throw new Error(`The workspace ${team.id} has no channel ${channel}.`)
    const message: Message = {
      ts: world.newTs(),
      channel,
      user: id,
      text,
      ...(thread === undefined ? {} : { thread_ts: thread }),
    }
    team.messages.push(message)
    const wire = { ...toWire(team, message), channel, event_ts: message.ts, client_msg_id: world.newId("msg") }
    tell(team, { ...wire, channel_type: kind })
    if (kind === "channel" && text.includes(`<@${team.botUser}>`)) tell(team, { ...wire, type: "app_mention" })
    world.changed()
    return message
  }

  function modal(): OpenView | undefined {
    return [...team.views.values()].findLast((one) => one.user === id)
  }

  return {
    id,
    directChannel: own,
    say,
    mention: (text, conversation) => say(`<@${team.botUser}> ${text}`, { channel: "C0GENERAL", ...conversation }),
    edit(message, text) {
      const edited = { ...message, text, edited: { user: id, ts: world.newTs() } }
      replaceMessage(team, edited)
      const channel = team.channels.get(message.channel)
      tell(team, {
        type: "message",
        subtype: "message_changed",
        hidden: true,
        channel: message.channel,
        channel_type: channel?.kind,
        ts: edited.edited.ts,
        event_ts: edited.edited.ts,
        message: toWire(team, edited),
        previous_message: toWire(team, message),
      })
      world.changed()
    },
    press: ({ channel, ts, button }) => courier.interaction(pressed(acting, team, id, { channel, ts, button })),
    modal,
    async submit(entered) {
      const open = modal()
      if (open === undefined) throw new Error(`No modal is open before ${id}.`)
      const { values, errors } = fillIn(open.view.blocks as readonly Fields[], entered)
      if (Object.keys(errors).length > 0) return { isClosed: false, errors }
      const wire = { ...viewToWire(world, team, open), state: { values } }
      const payload = { ...interactionOf(acting, team, id), type: "view_submission", view: wire, response_urls: [] }
      return afterSubmission(acting, team, open, await courier.interaction(payload))
    },
    async closeModal() {
      const open = modal()
      if (open === undefined) return
      team.views.delete(open.id)
      world.changed()
      if (open.view.notify_on_close !== true) return
      const view = viewToWire(world, team, open)
      await courier.interaction({ ...interactionOf(acting, team, id), type: "view_closed", view, is_cleared: false })
    },
    sees({ channel = own, thread } = {}) {
      return team.messages.filter(
        (one) =>
          one.channel === channel &&
          (one.onlyFor === undefined || one.onlyFor === id) &&
          (thread === undefined || one.thread_ts === thread || one.ts === thread),
      )
    },
  }
}

function interactionOf({ world }: PersonParts, team: Team, id: string): Fields {
  const trigger = `${world.newId("")}.${world.newId("")}.stand-in`
  world.triggers.set(trigger, { team: team.id, user: id, at: world.clock.now(), isUsed: false })
  const name = team.users.get(id)?.name
  return {
    user: { id, username: name, name, team_id: team.id },
    api_app_id: world.appId,
    token: "stand-in",
    trigger_id: trigger,
    team: { id: team.id, domain: team.domain },
    enterprise: null,
    is_enterprise_install: false,
  }
}

function pressed(acting: PersonParts, team: Team, id: string, { channel, ts, button }: Press): Fields {
  const { world } = acting
  const message = messageAt(team, channel, ts)
  if (message === undefined) throw new Error(`There is no message ${ts} in ${channel}.`)
  const match = (message.blocks ?? [])
    .flatMap((block) => elementsOf(block).map((element) => ({ block, element })))
    .find(({ element }) => element.action_id === button || (isFields(element.text) && element.text.text === button))
  if (match === undefined) throw new Error(`The message ${ts} has no button “${button}”.`)
  const { placeholder: _placeholder, confirm: _confirm, url: _url, ...wireElement } = match.element
  const response = world.newId("r")
  world.responses.set(response, {
    team: team.id,
    channel,
    user: id,
    ts,
    at: world.clock.now(),
    uses: 0,
    ...(message.thread_ts === undefined ? {} : { thread: message.thread_ts }),
  })
  return {
    ...interactionOf(acting, team, id),
    type: "block_actions",
    container: {
      type: "message",
      message_ts: ts,
      channel_id: channel,
      is_ephemeral: message.onlyFor !== undefined,
      ...(message.thread_ts === undefined ? {} : { thread_ts: message.thread_ts }),
    },
    channel: { id: channel, name: team.channels.get(channel)?.name },
    ...(message.onlyFor === undefined ? { message: toWire(team, message, true) } : {}),
    state: { values: {} },
    response_url: `${acting.url()}/response/${response}`,
    actions: [{ ...wireElement, block_id: match.block.block_id, action_ts: world.newTs() }],
  }
}

function afterSubmission({ world }: PersonParts, team: Team, open: OpenView, delivered: DeliveryResult): SubmitResult {
  const trouble = { isClosed: false, errors: {}, trouble: "We had some trouble connecting. Try again?" }
  if (delivered.kind === "failed") return trouble
  const body = isFields(delivered.body) ? delivered.body : {}
  const { response_action: action, errors, view } = body
  if (action === "errors") {
    const blocks = (open.view.blocks as readonly Fields[]).map(({ block_id }) => block_id)
    if (!isFields(errors) || Object.keys(errors).some((id) => !blocks.includes(id))) return trouble
    team.views.set(open.id, { ...open, errors: errors as Readonly<Record<string, string>> })
    world.changed()
    return { isClosed: false, errors: errors as Readonly<Record<string, string>> }
  }
  if (action === "update" || action === "push") {
    if (checkView(view).length > 0) return { ...trouble, trouble: checkView(view).join("; ") }
    storeView(world, team, open.user, view as Fields, action === "update" ? open.id : undefined)
    return { isClosed: false, errors: {} }
  }
  if (action !== undefined && action !== "clear") return trouble
  team.views.delete(open.id)
  world.changed()
  return { isClosed: true, errors: {} }
}
