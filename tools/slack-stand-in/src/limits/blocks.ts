// Limits of blocks, and of the blocks of one message or view together.
// https://docs.slack.dev/reference/block-kit/blocks

import {
  anything,
  type Check,
  type Fields,
  flag,
  isFields,
  list,
  note,
  oneOf,
  shape,
  text,
  typed,
  url,
} from "./check.ts"
import { accessories, actionElements, button, contextElements, image, inputElements } from "./elements.ts"
import { anyText, onlyMrkdwn, plainText } from "./objects.ts"

type Members = Readonly<Record<string, Check>>

const contextTexts: Members = { plain_text: anyText(3000), mrkdwn: anyText(3000), image }

function block(type: string, required: Members, optional: Members = {}, and?: (...known: Parameters<Fit>) => void) {
  return shape({ type: oneOf(type), ...required }, { block_id: text(255, 1), ...optional }, and)
}
type Fit = (fields: Fields, at: string, faults: string[]) => void

const needsOne =
  (...names: readonly string[]): Fit =>
  (fields, at, faults) => {
    if (names.every((name) => fields[name] === undefined)) note(faults, `must have one of: ${names.join(", ")}`, at)
  }

const card = block(
  "card",
  {},
  {
    hero_image: image,
    icon: image,
    title: onlyMrkdwn(150),
    subtitle: onlyMrkdwn(150),
    body: onlyMrkdwn(200),
    actions: list(button, 25),
  },
  needsOne("hero_image", "title", "actions", "body"),
)

const status = oneOf("pending", "in_progress", "complete", "error")

const taskCard = block(
  "task_card",
  { task_id: text(255, 1), title: text(3000, 1), status },
  { details: anything, output: anything, sources: anything },
)

/** Every block that an app may send, without `file`, which only Slack makes. */
const everywhere: Members = {
  actions: block("actions", { elements: list(typed(actionElements), 25) }),
  alert: block("alert", { text: anyText(3000) }, { level: oneOf("default", "info", "warning", "error", "success") }),
  card,
  carousel: block("carousel", { elements: list(card, 10) }),
  context: block("context", { elements: list(typed(contextTexts), 10) }),
  divider: block("divider", {}),
  header: block("header", { text: plainText(150) }),
  image: block(
    "image",
    { alt_text: text(2000, 1) },
    { image_url: url(3000), slack_file: anything, title: plainText(2000) },
    needsOne("image_url", "slack_file"),
  ),
  input: block(
    "input",
    { label: plainText(2000), element: typed(inputElements) },
    { hint: plainText(2000), optional: flag, dispatch_action: flag },
  ),
  rich_text: block("rich_text", { elements: list(anything, 1000, 0) }),
  section: block(
    "section",
    {},
    { text: anyText(3000), fields: list(anyText(2000), 10), accessory: typed(accessories), expand: flag },
    needsOne("text", "fields"),
  ),
  video: block(
    "video",
    { video_url: url(3000), thumbnail_url: url(3000), alt_text: text(2000, 1), title: plainText(199) },
    {
      title_url: url(3000),
      author_name: text(49),
      provider_name: text(255),
      provider_icon_url: url(3000),
      description: plainText(3000),
    },
  ),
}

const inMessages: Members = {
  ...everywhere,
  context_actions: block("context_actions", { elements: list(typed(contextElements), 5) }),
  markdown: block("markdown", { text: text(12_000, 1) }),
  plan: block("plan", { title: text(3000, 1) }, { tasks: list(anything, 50, 0) }),
  table: block("table", { rows: list(list(anything, 20), 100) }, { column_settings: list(anything, 20, 0) }),
  task_card: taskCard,
}

export type Surface = "message" | "view"

/** The blocks of a message (at most 50) or of a view (at most 100). */
export function checkBlocks(blocks: unknown, surface: Surface, at: string): readonly string[] {
  const faults: string[] = []
  const [checks, most] = surface === "message" ? [inMessages, 50] : [everywhere, 100]
  list(typed(checks), most, 0)(blocks, at, faults)
  if (Array.isArray(blocks)) checkTogether(blocks.filter(isFields), at, faults)
  return faults
}

function checkTogether(blocks: readonly Fields[], at: string, faults: string[]): void {
  const seen = new Set<unknown>()
  for (const [index, { block_id }] of blocks.entries()) {
    if (block_id === undefined) continue
    if (seen.has(block_id)) note(faults, `block_id \`${String(block_id)}\` already exists`, `${at}/${index}/block_id`)
    seen.add(block_id)
  }
  for (const [index, one] of blocks.entries()) checkActions(one, `${at}/${index}`, faults)
  const marked = blocks.filter(({ type }) => type === "markdown")
  const length = marked.reduce((sum, one) => sum + (typeof one.text === "string" ? one.text.length : 0), 0)
  if (marked.length > 1 && length > 12_000) note(faults, "markdown must be less than 12001 characters in all", at)
  const focused = blocks.flatMap(elementsOf).filter(({ focus_on_load }) => focus_on_load === true)
  if (focused.length > 1) note(faults, "only one element may have focus_on_load", at)
}

function checkActions(block: Fields, at: string, faults: string[]): void {
  const ids = elementsOf(block).flatMap(({ action_id }) => (action_id === undefined ? [] : [action_id]))
  for (const repeated of ids.filter((id, index) => ids.indexOf(id) !== index)) {
    note(faults, `action_id \`${String(repeated)}\` already exists for this block`, at)
  }
}

/** The elements of a block. */
export function elementsOf(block: Fields): readonly Fields[] {
  const several = Array.isArray(block.elements) && block.type !== "rich_text" ? block.elements : []
  const actions = Array.isArray(block.actions) ? block.actions : []
  const nested = block.type === "carousel" ? several.flatMap((one) => (isFields(one) ? elementsOf(one) : [])) : several
  return [...nested, ...actions, block.accessory, block.element].filter(isFields)
}
