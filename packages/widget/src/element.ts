// Custom elements from plain functions. The browser wants a class for an element: this is the only one. Nothing is defined
// where there is no document, so that a page can be rendered on a server.

/** What an element shows, from when it is connected to a page until it leaves it. */
export interface ElementView {
  /** An attribute or a property has another value. */
  changed(name: string): void
  close(): void
}

export interface ElementKind {
  readonly tag: string
  readonly attributes: readonly string[]
  readonly properties: readonly string[]
  open(host: WidgetHost, root: ShadowRoot): ElementView
}

/** The element as its view sees it. */
export interface WidgetHost extends HTMLElement {
  /** The value of one of the properties of its kind. */
  property(name: string): unknown
}

export function defineElement(kind: ElementKind): void {
  if (!("customElements" in globalThis) || customElements.get(kind.tag) !== undefined) return
  class Widget extends HTMLElement implements WidgetHost {
    static readonly observedAttributes = kind.attributes
    readonly #values = new Map<string, unknown>()
    readonly #root = this.attachShadow({ mode: "open" })
    #view: ElementView | undefined

    connectedCallback(): void {
      // Properties that were set before the element was defined are taken over.
      for (const name of kind.properties.filter((one) => Object.hasOwn(this, one))) {
        const value = Reflect.get(this, name)
        Reflect.deleteProperty(this, name)
        Reflect.set(this, name, value)
      }
      this.#view = kind.open(this, this.#root)
    }

    disconnectedCallback(): void {
      this.#view?.close()
      this.#view = undefined
      this.#root.replaceChildren()
    }

    attributeChangedCallback(name: string, before: string | null, now: string | null): void {
      if (before !== now) this.#view?.changed(name)
    }

    property(name: string): unknown {
      return this.#values.get(name)
    }

    setProperty(name: string, value: unknown): void {
      this.#values.set(name, value)
      this.#view?.changed(name)
    }
  }
  for (const name of kind.properties)
    Object.defineProperty(Widget.prototype, name, {
      get(this: Widget) {
        return this.property(name)
      },
      set(this: Widget, value: unknown) {
        this.setProperty(name, value)
      },
    })
  customElements.define(kind.tag, Widget)
}

/** Tells the page of something: the event bubbles, and leaves the shadow roots around the element. */
export function emit(host: HTMLElement, type: string, detail: unknown): void {
  host.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
}
