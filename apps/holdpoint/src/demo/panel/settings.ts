// Two lists that choose the kind of client; the options of the second depend on the first.

import { elementById, h } from "./dom.ts"
import { type Profile, type Revision, revisions } from "./profiles.ts"

export function createSettings(onChange: () => void): () => Profile {
  const revision = elementById("revision") as HTMLSelectElement
  const declares = elementById("declares") as HTMLSelectElement
  const summary = elementById("client-now")
  const chosenRevision = (): Revision => revisions.find(({ id }) => id === revision.value) ?? (revisions[0] as Revision)
  const profile = (): Profile => {
    const declared = chosenRevision().declares
    const declaration = declared.find(({ id }) => id === declares.value) ?? declared[0]
    if (declaration === undefined) throw new Error("Each revision needs a declaration.")
    return { revision: chosenRevision(), declaration }
  }
  const showSummary = (): void => {
    const { revision: chosenRevision, declaration } = profile()
    summary.textContent = `${chosenRevision.words}, shows ${declaration.words}`
  }
  const showDeclarations = (): void => {
    const { declares: declarations } = chosenRevision()
    declares.replaceChildren(...declarations.map(({ id, words }) => h("option", { value: id }, words)))
    declares.disabled = declarations.length === 1
    showSummary()
  }
  revision.replaceChildren(...revisions.map(({ id, words }) => h("option", { value: id }, words)))
  revision.addEventListener("change", () => {
    showDeclarations()
    onChange()
  })
  declares.addEventListener("change", () => {
    showSummary()
    onChange()
  })
  showDeclarations()
  return profile
}
