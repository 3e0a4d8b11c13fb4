// Nodes are written twice: as HTML whose every value is escaped, and as elements of a document, with the same result.

import { describe, expect, it } from "vitest"
import { choice, choices, dateTime, email, form, integer, text, yesNo } from "../../src/core/form.ts"
import { fieldNodes, problemSummaryNodes } from "../../src/forms/fields.ts"
import { toElements, toHtml } from "../../src/forms/node.ts"

/** A stand-in for a browser's element, which records its attributes and children. */
interface Remembered {
  readonly tag: string
  readonly attributes: Map<string, string>
  readonly children: unknown[]
  setAttribute(name: string, value: string): void
  append(...children: unknown[]): void
}

const rememberer = {
  createElement(tag: string): Remembered {
    const attributes = new Map<string, string>()
    const children: unknown[] = []
    return {
      tag,
      attributes,
      children,
      setAttribute: (name, value) => void attributes.set(name, value),
      append: (...more) => void children.push(...more),
    }
  },
}

const hostile = `"><script>alert('&')</script>`

describe("toHtml", () => {
  it("escapes the texts of a form, its values and its problems", () => {
    const asked = form({
      [hostile]: text({ title: hostile, description: hostile }),
      pick: choice({ [hostile]: hostile }),
      long: text({ maxLength: 500 }),
    })
    const view = {
      prefix: "q",
      form: asked,
      values: { [hostile]: hostile, long: hostile },
      problems: [{ path: hostile, message: hostile }],
      texts: { notSent: hostile },
    }
    const written = toHtml([...problemSummaryNodes(view), ...fieldNodes(view)])
    expect(written).not.toContain("<script")
    expect(written).not.toContain(`"">`)
    expect(written.split("&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;").length).toBeGreaterThan(9)
  })

  it("keeps a line break at the start of a text", () => {
    const nodes = fieldNodes({ prefix: "q", form: form({ it: text() }), values: { it: "\nx" } })
    expect(toHtml(nodes)).toContain(">\n\nx</textarea>")
  })
})

describe("toElements", () => {
  it("creates the elements that the HTML describes", () => {
    const asked = form(
      {
        name: text({ title: "Name", minLength: 2, default: "Ada" }),
        mail: email(),
        at: dateTime(),
        count: integer({ minimum: 1 }),
        sure: yesNo({ default: true }),
        one: choice(["a", "b"], { default: "b" }),
        many: choice(["a", "b", "c", "d", "e", "f"]),
        several: choices(["a", "b"], { minItems: 1, maxItems: 2, default: ["a"] }),
      },
      { optional: ["mail"] },
    )
    const nodes = fieldNodes({ prefix: "q", form: asked, problems: [{ path: "count", message: "Too few." }] })
    expect(toElements(nodes, rememberer).map(asText).join("")).toBe(toHtml(nodes))
  })

  it("adds texts to the document as text, never as markup", () => {
    const nodes = fieldNodes({ prefix: "q", form: form({ it: text({ title: hostile }) }, { optional: ["it"] }) })
    const labels = toElements(nodes, rememberer).flatMap(({ children }) => children.slice(0, 1))
    expect(labels).toMatchObject([{ tag: "label", children: [hostile, " ", { tag: "span", children: ["optional"] }] }])
  })
})

function asText({ tag, attributes, children }: Remembered): string {
  const inside = children.map((child) => (typeof child === "string" ? child : asText(child as Remembered))).join("")
  const words = [...attributes].map(([name, value]) => {
    const isBare = ["required", "checked", "selected"].includes(name)
    return isBare ? ` ${name}` : ` ${name}="${value}"`
  })
  return tag === "input" ? `<${tag}${words.join("")}>` : `<${tag}${words.join("")}>${inside}</${tag}>`
}
