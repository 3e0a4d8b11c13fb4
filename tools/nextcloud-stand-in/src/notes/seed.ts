// Initial notes: alice's in three categories, and a few of bob's.

import type { World } from "../world.ts"
import { type NoteInput, notesOf, seconds } from "./store.ts"

const day = 86_400

/** `age` is in days. */
const notesOfAlice: readonly (NoteInput & { readonly age: number })[] = [
  {
    title: "Einkaufsliste 🛒",
    category: "Haus/Küche",
    content: "# Einkaufsliste\n\n- [ ] Äpfel\n- [x] Brot\n- [ ] Käse\n- [ ] 豆腐\n",
    favorite: true,
    age: 0,
  },
  {
    title: "Release checklist",
    category: "Work",
    content: "# Release checklist\n\n1. Changelog\n2. Tag\n3. Tell the list\n\nFreeze is on Thursday at noon.\n",
    favorite: true,
    age: 1,
  },
  {
    title: "Planning meeting",
    category: "Work",
    content: "Present: Alice, Bob\n\n- Bob takes the importer.\n- Alice asks for the budget until Friday.\n",
    age: 2,
  },
  {
    title: "Ideas",
    category: "",
    content: "- A map of all the benches in town\n- Letters to my future self\n",
    age: 3,
  },
  {
    title: "Zürich trip",
    category: "Travel",
    content: "Train 07:32, platform 14.\nHotel Limmat, two nights.\nDo not forget: adapter, umbrella.\n",
    age: 5,
  },
  {
    title: "東京の店",
    category: "Travel",
    content: "- 喫茶店 (Yanaka)\n- 本屋 (Jimbōchō)\n- 天ぷら (Asakusa)\n",
    age: 12,
  },
  {
    title: "Budget 2027",
    category: "Work",
    content: "Rent 40 %\nFood 20 %\nTravel 15 %\nThe rest is saved.\n",
    age: 14,
  },
  {
    title: "Zwetschgenkuchen",
    category: "Haus/Küche",
    content: "500 g Zwetschgen, 250 g Mehl, 125 g Butter, 1 Ei, 80 g Zucker.\n\n180 °C, 45 Minuten.\n",
    age: 30,
  },
  { title: "Books to read", category: "", content: "- The Left Hand of Darkness\n- Солярис\n- Kallocain\n", age: 60 },
  { title: "Wi-Fi at the cottage", category: "Haus", content: "It is on the back of the router.\n", age: 90 },
]

const notesOfBob: readonly (NoteInput & { readonly age: number })[] = [
  { title: "Importer", category: "Work", content: "Ask Alice about the column order.\n", age: 1 },
  { title: "Birthday presents", category: "", content: "- Alice: a kite\n- Mum: tea\n", age: 8 },
]

export function seedNotes(world: World): void {
  const notes = notesOf(world)
  const addNote = (user: string, { age, ...note }: NoteInput & { readonly age: number }): void => {
    notes.create(user, { ...note, modified: seconds(world) - age * day })
  }
  for (const note of notesOfAlice) addNote("alice", note)
  for (const note of notesOfBob) addNote("bob", note)
}
