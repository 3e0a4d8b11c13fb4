// One call of each tool at a real server. Most calls are also used with the stand-in; for apps of which the stand-in
// has only recordings, a sample first creates what it needs.

import type { Nextcloud } from "../../src/api/nextcloud.ts"
import { fieldsOf } from "../../src/api/read.ts"
import { table } from "../../src/tools/table.ts"
import { callTool, toolOf } from "../fits.ts"
import { samples as usual } from "../samples/all.ts"
import { at } from "../samples/files.ts"
import type { Sample, Samples, SampleWorld } from "../samples/sample.ts"
import { answeredOtherwise, mailArguments } from "./mail-samples.ts"
import { lacking } from "./world.ts"

type Arguments = Sample["arguments"]
type Id = { readonly id: number }

const call = <O = Id>(nextcloud: Nextcloud, name: string, input: object = {}): Promise<O> =>
  callTool<O>(toolOf(table, name), input, nextcloud)

const title = (): string => `sample ${crypto.randomUUID().slice(0, 8)}`

async function boardOf({ alice }: SampleWorld) {
  const { id: board_id } = await call(alice, "nc_deck_create_board", { title: title(), color: "ff8800" })
  return { board_id }
}

async function stackOf(world: SampleWorld) {
  const { board_id } = await boardOf(world)
  const { id: stack_id } = await call(world.alice, "nc_deck_save_stack", { board_id, title: "To do" })
  return { board_id, stack_id }
}

async function cardOf(world: SampleWorld) {
  const stack = await stackOf(world)
  const { id: card_id } = await call(world.alice, "nc_deck_create_card", { ...stack, title: "Card" })
  return { ...stack, card_id }
}

async function labelOf(world: SampleWorld) {
  const card = await cardOf(world)
  const { id: label_id } = await call(world.alice, "nc_deck_save_label", { board_id: card.board_id, title: "Mine" })
  return { ...card, label_id }
}

async function commentOf(world: SampleWorld) {
  const { card_id } = await cardOf(world)
  const input = { card_id, message: "Hello" }
  const { comments } = await call<{ comments: readonly Id[] }>(world.alice, "nc_deck_create_comment", input)
  return { card_id, comment_id: comments[0]?.id }
}

/** Removes the stack from the arguments, for tools that find the card without it. */
const only =
  <T extends object>(
    made: (world: SampleWorld) => Promise<T>,
    names: readonly (keyof T)[],
    more: object = {},
  ): Arguments =>
  async (world) => {
    const all = await made(world)
    return { ...Object.fromEntries(names.map((name) => [name, all[name]])), ...more }
  }

const shared = async (world: SampleWorld) => {
  const { board_id } = await boardOf(world)
  const id = await world.bob.userId()
  await call(world.alice, "nc_deck_share_board", { board_id, id })
  return { board_id, id }
}

const deck: Readonly<Record<string, Arguments>> = {
  nc_deck_get_board: boardOf,
  nc_deck_update_board: async (world) => ({ ...(await boardOf(world)), title: "Project" }),
  nc_deck_delete_board: boardOf,
  nc_deck_share_board: async (world) => ({ ...(await boardOf(world)), id: await world.bob.userId() }),
  nc_deck_unshare_board: shared,
  nc_deck_save_stack: async (world) => ({ ...(await boardOf(world)), title: "To do" }),
  nc_deck_delete_stack: stackOf,
  nc_deck_save_label: async (world) => ({ ...(await boardOf(world)), title: "Important" }),
  nc_deck_delete_label: only(labelOf, ["board_id", "label_id"]),
  nc_deck_list_cards: boardOf,
  nc_deck_get_card: cardOf,
  nc_deck_create_card: async (world) => ({ ...(await stackOf(world)), title: "Card" }),
  nc_deck_update_card: async (world) => {
    const card = await cardOf(world)
    const { etag } = await call<{ etag: string }>(world.alice, "nc_deck_get_card", card)
    return { ...card, etag, title: "New" }
  },
  nc_deck_move_card: async (world) => {
    const card = await cardOf(world)
    const input = { board_id: card.board_id, title: "Done" }
    const { id: to_stack_id } = await call(world.alice, "nc_deck_save_stack", input)
    return { ...card, to_stack_id, position: 0 }
  },
  nc_deck_delete_card: cardOf,
  nc_deck_set_card_label: labelOf,
  nc_deck_set_card_user: async (world) => ({ ...(await cardOf(world)), user_id: await world.alice.userId() }),
  nc_deck_set_dependent_card: () => {
    throw lacking("it needs Deck 1.18, which is not told apart here")
  },
  nc_deck_attach_file: async (world) => {
    const path = at(`/sample-${crypto.randomUUID()}.txt`)
    await call(world.alice, "nc_files_write_file", { path, content: "x" })
    return { card_id: (await cardOf(world)).card_id, path }
  },
  nc_deck_remove_attachment: () => {
    throw lacking("files are attached as shares here, and only older attachments are removed by it")
  },
  nc_deck_list_comments: only(cardOf, ["card_id"], { limit: 20 }),
  nc_deck_create_comment: only(cardOf, ["card_id"], { message: "Hello" }),
  nc_deck_update_comment: async (world) => ({ ...(await commentOf(world)), message: "New" }),
  nc_deck_delete_comment: commentOf,
}

async function tableOf({ alice }: SampleWorld) {
  const activity = "preparing"
  const json = { title: title(), template: "custom", emoji: "🦊" }
  const created = await alice.send({ method: "POST", path: "/apps/tables/api/1/tables", json, activity })
  const table_id = fieldsOf(created.json(), activity).number("id")
  const column = {
    type: "text",
    subtype: "line",
    title: "Näme",
    mandatory: false,
    description: "",
    selectedViewIds: [],
  }
  await alice.send({ method: "POST", path: `/apps/tables/api/1/tables/${table_id}/columns`, json: column, activity })
  return { table_id }
}

async function rowOf(world: SampleWorld) {
  const { table_id } = await tableOf(world)
  await call(world.alice, "nc_tables_insert_row", { table_id, values: { Näme: "x" } })
  type Rows = { rows: readonly { id: number; etag: string }[] }
  const { rows } = await call<Rows>(world.alice, "nc_tables_read_table", { table_id })
  return { row_id: rows[0]?.id, etag: rows[0]?.etag }
}

const tables: Readonly<Record<string, Arguments>> = {
  nc_tables_get_schema: tableOf,
  nc_tables_read_table: tableOf,
  nc_tables_create_table: () => ({ title: title(), columns: [{ title: "Näme", type: "text" }] }),
  nc_tables_create_column: async (world) => ({ ...(await tableOf(world)), title: "Preis", type: "number", unit: "€" }),
  nc_tables_insert_row: async (world) => ({ ...(await tableOf(world)), values: { Näme: "x" } }),
  nc_tables_update_row: async (world) => ({ ...(await rowOf(world)), values: { Näme: "y" } }),
  nc_tables_delete_row: only(rowOf, ["row_id"]),
}

async function recipeOf({ alice }: SampleWorld) {
  const { id: recipe_id } = await call(alice, "nc_cookbook_create_recipe", { name: title(), ingredients: ["Mehl"] })
  return { recipe_id }
}

const onTheWeb: Arguments = () => {
  throw lacking("the server would have to reach a web page that was not named")
}

const cookbook: Readonly<Record<string, Arguments>> = {
  nc_cookbook_get_recipe: recipeOf,
  nc_cookbook_create_recipe: () => ({ name: title(), ingredients: ["500 g Mehl"], servings: 4, prep_time: "PT20M" }),
  nc_cookbook_update_recipe: async (world) => {
    const recipe = await recipeOf(world)
    const { etag } = await call<{ etag: string }>(world.alice, "nc_cookbook_get_recipe", recipe)
    return { ...recipe, etag, description: "Lecker" }
  },
  nc_cookbook_delete_recipe: recipeOf,
  nc_cookbook_import_recipe: onTheWeb,
}

const folderOf = async ({ alice }: SampleWorld) => {
  const { id: folder_id } = await call(alice, "nc_news_create_folder", { name: title() })
  return { folder_id }
}

const newsArguments: Readonly<Record<string, Arguments>> = {
  nc_news_get_item: onTheWeb,
  nc_news_mark_items: onTheWeb,
  nc_news_mark_all_read: onTheWeb,
  nc_news_add_feed: onTheWeb,
  nc_news_update_feed: onTheWeb,
  nc_news_remove_feed: onTheWeb,
  nc_news_create_folder: () => ({ name: title() }),
  nc_news_rename_folder: async (world) => ({ ...(await folderOf(world)), name: title() }),
  nc_news_delete_folder: folderOf,
}

async function conversationOf({ alice }: SampleWorld) {
  const input = { kind: "group", name: title() }
  const { token } = await call<{ token: string }>(alice, "nc_talk_create_conversation", input)
  return { token }
}

async function messageOf(world: SampleWorld) {
  const { token } = await conversationOf(world)
  const { id: message_id } = await call(world.alice, "nc_talk_send_message", { token, message: "Hello" })
  return { token, message_id }
}

const talk: Readonly<Record<string, Arguments>> = {
  nc_talk_get_conversation: conversationOf,
  nc_talk_list_participants: conversationOf,
  nc_talk_create_conversation: () => ({ kind: "group", name: title() }),
  nc_talk_add_participant: async (world) => ({
    ...(await conversationOf(world)),
    participant: await world.bob.userId(),
  }),
  nc_talk_get_messages: only(messageOf, ["token"], { limit: 4 }),
  nc_talk_send_message: async (world) => ({ ...(await conversationOf(world)), message: "Hello" }),
  nc_talk_mark_as_read: only(messageOf, ["token"]),
  nc_talk_list_reactions: messageOf,
  nc_talk_react: async (world) => ({ ...(await messageOf(world)), reaction: "👍" }),
}

/** Uses an existing tag: only administrators can delete tags, so a new one would stay. */
async function tagged({ alice }: SampleWorld) {
  const { tags } = await call<{ tags: readonly { name: string; assignable: boolean }[] }>(alice, "nc_files_list_tags")
  const tag = tags.find(({ assignable }) => assignable)?.name
  if (tag === undefined) throw lacking("there is no tag that this account may use, and one that is created would stay")
  const path = at(`/sample-${crypto.randomUUID()}.txt`)
  await call(alice, "nc_files_write_file", { path, content: "x" })
  return { path, tag }
}

const tags: Readonly<Record<string, Arguments>> = {
  nc_files_create_tag: () => {
    throw lacking("only administrators can delete tags: it would stay")
  },
  nc_files_list_tagged_files: only(tagged, ["tag"]),
  nc_files_set_tags: async (world) => {
    const { path, tag } = await tagged(world)
    return { path, add: [tag] }
  },
}

const startedAt = Date.now()

/** Refuses to empty a trash that holds items of the account's owner. */
const trash: Readonly<Record<string, Arguments>> = {
  nc_files_empty_trash: async (world) => {
    await usual.nc_files_empty_trash?.arguments(world)
    type Trash = { items: readonly { deleted: string }[] }
    const { items } = await call<Trash>(world.alice, "nc_files_list_trash", { limit: 200 })
    if (items.every(({ deleted }) => Date.parse(deleted) > startedAt - 60_000)) return {}
    throw lacking("there is something in the trash that was deleted before")
  },
}

const own: Readonly<Record<string, Arguments>> = {
  ...tags,
  ...trash,
  ...deck,
  ...tables,
  ...cookbook,
  ...newsArguments,
  ...talk,
  ...mailArguments,
}

/** Adapts a sample of the stand-in: recorded ids do not exist at a real server, except as missing ids. */
const toLive = (name: string, sample: Sample): Sample => {
  const ownArguments = own[name]
  if (ownArguments === undefined) return sample
  return {
    arguments: ownArguments,
    ...(sample.missing === undefined || answeredOtherwise.has(name) ? {} : { missing: sample.missing }),
  }
}

export const liveSamples: Samples = Object.fromEntries(
  Object.entries(usual).map(([name, sample]) => [name, toLive(name, sample)]),
)
