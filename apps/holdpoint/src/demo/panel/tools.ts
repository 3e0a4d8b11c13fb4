// The tools of the server, grouped by app and searchable, and the form of the chosen tool.

import type { Tool } from "@modelcontextprotocol/client"
import { button, elementById, focusOn, h } from "./dom.ts"
import { createFields, type Schema } from "./fields.ts"

type Call = (tool: Tool, args: Readonly<Record<string, unknown>>) => void

export interface ToolList {
  show(tools: readonly Tool[]): void
}

export function createToolList(call: Call): ToolList {
  const list = elementById("tool-list")
  const search = elementById("tool-search") as HTMLInputElement
  const count = elementById("tool-count")
  let allTools: readonly Tool[] = []
  let chosenName: string | undefined
  const choose = (tool: Tool): void => {
    chosenName = tool.name
    draw()
    const form = toolForm(tool, call)
    elementById("tool-form").replaceChildren(form)
    const heading = form.querySelector("h3")
    if (heading !== null) focusOn(heading)
  }
  const draw = (): void => {
    const searchWords = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    const isMatch = ({ name, title = "", description = "" }: Tool): boolean => {
      const text = `${name} ${title} ${description}`.toLowerCase()
      return searchWords.every((word) => text.includes(word))
    }
    const matches = allTools.filter(isMatch)
    count.textContent =
      searchWords.length === 0 ? `${allTools.length} tools` : `${matches.length} of ${allTools.length} tools`
    const groups = [...Map.groupBy(matches, ({ name }) => appOf(name))]
    list.replaceChildren(...groups.map(([app, tools]) => group(app, tools, { chosen: chosenName, choose })))
  }
  search.addEventListener("input", draw)
  return {
    show(tools) {
      allTools = tools
      elementById("tools-none").hidden = tools.length > 0
      elementById("tools-there").hidden = tools.length === 0
      draw()
    },
  }
}

function group(
  app: string,
  tools: readonly Tool[],
  { chosen, choose }: { readonly chosen: string | undefined; choose(tool: Tool): void },
): HTMLElement {
  const rows = tools.map((tool) => {
    const row = button(tool.title ?? tool.name, () => choose(tool), "tool")
    if (tool.name === chosen) row.setAttribute("aria-current", "true")
    return h("li", {}, row)
  })
  return h("div", {}, h("h4", {}, app), h("ul", {}, ...rows))
}

/** The app of a tool: `nc_notes_list_notes` belongs to notes. Tools with other names manage access. */
const appOf = (name: string): string => /^nc_([a-z]+)_/.exec(name)?.[1] ?? "access"

function toolForm(tool: Tool, call: Call): HTMLElement {
  const { name, title = name, description = "", inputSchema, annotations = {} } = tool
  const fields = createFields(inputSchema as Schema)
  const submit = (event: Event): void => {
    event.preventDefault()
    const args = fields.read()
    if (args !== undefined) call(tool, args)
  }
  const kind = annotations.readOnlyHint === true ? "reads" : annotations.destructiveHint === true ? "deletes" : "writes"
  return h(
    "form",
    { novalidate: true, onsubmit: submit },
    h("h3", {}, title),
    h("p", { class: "meta" }, h("code", {}, name), " ", h("span", { class: "tag" }, kind)),
    h("p", {}, description),
    fields.element,
    h("div", { class: "buttons" }, h("button", { type: "submit", class: "primary" }, "Call")),
  )
}
