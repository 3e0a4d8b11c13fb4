// The page at /: channels and messages of one workspace as one person sees them, with buttons and modals that work.

import type { IncomingMessage, ServerResponse } from "node:http"
import { elementsOf } from "./limits/blocks.ts"
import { type Fields, isFields } from "./limits/check.ts"
import type { Person } from "./people.ts"
import type { Message, OpenView, Team, World } from "./world.ts"

export interface Pages {
  serve(url: URL, request: IncomingMessage, response: ServerResponse, form: URLSearchParams): Promise<void>
}

export const tooMuch = "The request is too large."

interface Options {
  readonly world: World
  readonly as: (user: string, team?: string) => Person
}

/** The channel that the page shows, and the person who looks at it. */
interface PageView {
  readonly team: Team
  readonly person: Person
  readonly channel: string
}

export function createPages({ world, as }: Options): Pages {
  let version = 0
  world.listeners.add(() => {
    version += 1
  })

  function seenBy(values: URLSearchParams): PageView {
    const team = world.teams.get(values.get("team") ?? "") ?? ([...world.teams.values()][0] as Team)
    const people = [...team.users.keys()].filter((id) => id !== team.botUser)
    const user = people.find((id) => id === values.get("user")) ?? (people[0] as string)
    const person = as(user, team.id)
    return {
      team,
      person,
      channel: team.channels.has(values.get("channel") ?? "")
        ? (values.get("channel") as string)
        : person.directChannel,
    }
  }

  async function act({ person, channel }: PageView, form: URLSearchParams): Promise<void> {
    const thread = form.get("thread") || undefined
    const act = form.get("act")
    if (act === "say") person.say(form.get("text") ?? "", { channel, ...(thread && { thread }) })
    if (act === "press") {
      await person.press({ channel, ts: form.get("ts") ?? "", button: form.get("button") ?? "" })
    }
    if (act === "submit") await person.submit(enteredIn(form, person.modal()))
    if (act === "close") await person.closeModal()
  }

  return {
    async serve(url, request, response, form) {
      if (url.pathname === "/version") return void response.end(String(version))
      if (url.pathname !== "/") return void response.writeHead(404).end("Not found")
      const pageView = seenBy(request.method === "POST" ? form : url.searchParams)
      if (request.method === "POST") {
        await act(pageView, form)
        return void response.writeHead(303, { location: addressOf(pageView) }).end()
      }
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(toPage(world, pageView, version))
    },
  }
}

const addressOf = ({ team, person, channel }: PageView): string =>
  `/?${new URLSearchParams({ team: team.id, user: person.id, channel })}`

/** The submitted inputs by block. Checkboxes and multiple choices are lists. */
function enteredIn(form: URLSearchParams, open: OpenView | undefined): Readonly<Record<string, unknown>> {
  const inputs = ((open?.view.blocks ?? []) as readonly Fields[]).filter(({ type }) => type === "input")
  return Object.fromEntries(
    inputs.map(({ block_id: id, element }) => {
      const all = form.getAll(id as string)
      const type = (element as Fields).type as string
      const value = all[0] === "" ? null : (all[0] ?? null)
      if (type === "checkboxes" || type.startsWith("multi_")) return [id, all]
      return [id, type === "datetimepicker" && value !== null ? Math.floor(Date.parse(`${value}Z`) / 1000) : value]
    }),
  )
}

const html = (value: unknown): string => String(value ?? "").replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)

function toPage(world: World, pageView: PageView, version: number): string {
  const { team, person, channel } = pageView
  const people = [...team.users.values()].filter(({ id }) => id !== team.botUser)
  const link = (next: Partial<{ user: string; channel: string; team: string }>, words: string): string =>
    `<a href="/?${new URLSearchParams({ team: team.id, user: person.id, channel, ...next })}">${html(words)}</a>`
  const visible = [...team.channels.values()].filter(({ members }) => members.includes(person.id))
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Stand-in of Slack</title><style>
:root{color-scheme:light dark;font:16px/1.5 system-ui}body{margin:0 auto;max-width:44rem;padding:1rem}
article{border-left:3px solid #8888;margin:.75rem 0;padding:0 .75rem;overflow-wrap:anywhere}article.reply{margin-left:2rem}
p{margin:.25rem 0;white-space:pre-wrap}nav a{margin-right:.75rem}form.row{display:flex;gap:.5rem;flex-wrap:wrap}
input:not([type=checkbox]),textarea,select{font:inherit;max-width:100%}dialog{position:static;margin:1rem 0}.error{color:#c33}
</style><h1>Stand-in of Slack</h1>
<nav aria-label="Workspaces">${[...world.teams.values()].map(({ id, name }) => link({ team: id }, name)).join("")}</nav>
<nav aria-label="People">You are <strong>${html(team.users.get(person.id)?.name)}</strong>. ${people.map(({ id, name }) => link({ user: id, channel: "" }, name)).join("")}</nav>
<nav aria-label="Channels">${visible.map(({ id, kind, name }) => link({ channel: id }, kind === "im" ? "Direct messages" : `#${name}`)).join("")}</nav>
<main>${person
    .sees({ channel })
    .map((message) => toArticle(pageView, message))
    .join("")}
${[...team.statuses]
  .filter(([key]) => key.startsWith(channel))
  .map(([, status]) => `<p role="status"><em>holdpoint ${html(status)}</em></p>`)
  .join("")}</main>
${toModal(pageView)}
<form method="post" class="row">${hidden(pageView)}<input type="hidden" name="act" value="say">
<label>Message <input name="text" required autocomplete="off"></label>
<label>in the thread of <input name="thread" size="18" placeholder="ts, or empty"></label><button>Send</button></form>
<p><small>Mention the app with &lt;@${html(team.botUser)}&gt;.</small></p>
<script>setInterval(async()=>{const now=await(await fetch("/version")).text();
if(now!=="${version}"&&!document.querySelector("input:focus,textarea:focus,select:focus"))location.reload()},700)</script></html>`
}

const hidden = ({ team, person, channel }: PageView): string =>
  Object.entries({ team: team.id, user: person.id, channel })
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${html(value)}">`)
    .join("")

function toArticle(pageView: PageView, message: Message): string {
  const by = pageView.team.users.get(message.user)?.name
  const isReply = message.thread_ts !== undefined && message.thread_ts !== message.ts
  const note = [
    message.ts,
    message.onlyFor && "only visible to you",
    message.edited && "edited",
    message.streaming_state === "in_progress" && "writing …",
  ].filter(Boolean)
  const contents = [message.markdown, ...(message.blocks ?? []).map((block) => toBlock(pageView, message, block))]
  const parts = contents.filter((one) => one !== undefined)
  return `<article${isReply ? ' class="reply"' : ""}><strong>${html(by)}</strong> <small>${html(note.join(" · "))}</small>
${parts.length === 0 ? `<p>${html(message.text)}</p>` : message.markdown === undefined ? parts.join("") : `<p>${html(message.markdown)}</p>${parts.slice(1).join("")}`}</article>`
}

const textIn = (value: unknown): string => (isFields(value) ? String(value.text ?? "") : String(value ?? ""))

function toBlock(pageView: PageView, message: Message, block: Fields): string {
  const texts = [block.text, ...((block.fields ?? []) as readonly unknown[])].filter((one) => one !== undefined)
  const context = block.type === "context" ? (block.elements as readonly unknown[]) : []
  const words = [...texts, ...context].map((one) => `<p>${html(textIn(one))}</p>`).join("")
  const buttons = elementsOf(block)
    .filter(({ type }) => type === "button")
    .map((button) => toButton(pageView, message, button))
  return block.type === "divider" ? "<hr>" : `${words}${buttons.join(" ")}`
}

function toButton(pageView: PageView, message: Message, button: Fields): string {
  const words = html(textIn(button.text))
  const link =
    button.url === undefined ? "" : ` <a href="${html(button.url)}" target="_blank" rel="noreferrer">open</a>`
  return `<form method="post" style="display:inline">${hidden(pageView)}<input type="hidden" name="act" value="press">
<input type="hidden" name="ts" value="${message.ts}"><button name="button" value="${html(button.action_id ?? textIn(button.text))}">${words}</button>${link}</form>`
}

function toModal(pageView: PageView): string {
  const open = pageView.person.modal()
  if (open === undefined) return ""
  const blocks = open.view.blocks as readonly Fields[]
  const fields = blocks.map((block) =>
    block.type === "input"
      ? toInput(block, open.errors[block.block_id as string])
      : `<p>${html(textIn(block.text))}</p>`,
  )
  return `<dialog open><h2>${html(textIn(open.view.title))}</h2><form method="post">${hidden(pageView)}${fields.join("")}
<button name="act" value="submit">${html(textIn(open.view.submit) || "Submit")}</button>
<button name="act" value="close" formnovalidate>${html(textIn(open.view.close) || "Close")}</button></form></dialog>`
}

const inputTypes: Readonly<Record<string, string>> = {
  number_input: "number",
  email_text_input: "email",
  url_text_input: "url",
  datepicker: "date",
  timepicker: "time",
  datetimepicker: "datetime-local",
}

function toInput(block: Fields, error: string | undefined): string {
  const element = block.element as Fields
  const type = element.type as string
  const id = html(block.block_id)
  const options = (element.options ?? []) as readonly Fields[]
  const initial = html(element.initial_value ?? element.initial_date ?? element.initial_time)
  const control =
    type === "checkboxes" || type === "radio_buttons"
      ? options
          .map(
            (one) =>
              `<label><input type="${type === "checkboxes" ? "checkbox" : "radio"}" name="${id}" value="${html(one.value)}"> ${html(textIn(one.text))}</label>`,
          )
          .join(" ")
      : type.endsWith("static_select")
        ? `<select name="${id}"${type.startsWith("multi") ? " multiple" : ""}><option value=""></option>${options.map((one) => `<option value="${html(one.value)}">${html(textIn(one.text))}</option>`).join("")}</select>`
        : element.multiline === true
          ? `<textarea name="${id}">${initial}</textarea>`
          : `<input name="${id}" type="${inputTypes[type] ?? "text"}" step="any" value="${initial}">`
  const words = error === undefined ? "" : `<p class="error" role="alert">${html(error)}</p>`
  return `<fieldset><legend>${html(textIn(block.label))}</legend>${control}<p><small>${html(textIn(block.hint))}</small></p>${words}</fieldset>`
}
