// The style sheet of all elements, shared by their shadow roots. Pages change it with `--holdpoint-…` variables and parts.

const css = `
:host {
  --paper: var(--holdpoint-paper, light-dark(#f5f4ef, #10171b));
  --surface: var(--holdpoint-surface, light-dark(#ffffff, #182126));
  --sunken: var(--holdpoint-sunken, light-dark(#f1f0ea, #121a1e));
  --ink: var(--holdpoint-ink, light-dark(#182126, #ecebe5));
  --muted: var(--holdpoint-muted, light-dark(#545e65, #a9b2b7));
  --rule: var(--holdpoint-rule, light-dark(#dedcd3, #2c383e));
  --edge: var(--holdpoint-edge, light-dark(#7a8288, #77848b));
  --accent: var(--holdpoint-accent, light-dark(#0e5266, #8fd3e4));
  --accent-strong: var(--holdpoint-accent-strong, light-dark(#093d4d, #b3e3ef));
  --on-accent: var(--holdpoint-on-accent, light-dark(#ffffff, #0a2029));
  --amber: var(--holdpoint-amber, #f2b705);
  --amber-wash: var(--holdpoint-amber-wash, light-dark(#fdf4d7, #2d2610));
  --amber-ink: var(--holdpoint-amber-ink, light-dark(#6a4b00, #f3cf6b));
  --good: var(--holdpoint-good, light-dark(#1a6b41, #7fd6a6));
  --bad: var(--holdpoint-bad, light-dark(#9c2a1f, #ffa79b));
  --bad-wash: var(--holdpoint-bad-wash, light-dark(#fcefec, #351a17));
  --radius: var(--holdpoint-radius, 10px);
  --round: var(--holdpoint-round, 14px);
  display: block;
  color-scheme: light dark;
  color: var(--ink);
  font: var(--holdpoint-font, 1rem/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif);
  overflow-wrap: anywhere;
}
:host([hidden]) { display: none; }
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
h3, p, ul, ol, pre { margin: 0; padding: 0; font: inherit; }
ul, ol { padding-inline-start: 1.375rem; }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
code, pre { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", monospace; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.title:focus { outline: none; }
.sr { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.chat { display: flex; flex-direction: column; block-size: 100%; min-block-size: 20rem; position: relative; }
.list { flex: 1; min-block-size: 0; overflow-y: auto; padding: 1rem; display: flex; flex-direction: column; gap: 1rem; overflow-anchor: auto; }
.mine { align-self: flex-end; max-inline-size: 85%; padding: 0.5rem 0.875rem; border-radius: var(--round); border-end-end-radius: 4px; background: var(--accent); color: var(--on-accent); white-space: pre-wrap; }
.reply { align-self: stretch; }
.reply-body, .text, .card { display: grid; gap: 0.625rem; grid-template-columns: minmax(0, 1fr); }
.text pre { padding: 0.625rem 0.75rem; border-radius: var(--radius); background: var(--sunken); overflow-x: auto; }
.tool, .working, .note, .left, .hint, .lost, .told, .address, .asker { font-size: 0.9375rem; color: var(--muted); }
.tool { padding-inline-start: 0.875rem; border-inline-start: 3px solid var(--rule); font-size: 0.875rem; }
.working { display: flex; align-items: center; gap: 0.625rem; margin-block-start: 0.625rem; }
.dots { inline-size: 2rem; block-size: 4px; background: repeating-linear-gradient(90deg, var(--amber) 0 8px, transparent 8px 12px); }
.note.error { padding: 0.75rem 1rem; border: 1px solid var(--bad); border-radius: var(--radius); background: var(--bad-wash); color: var(--ink); display: grid; gap: 0.625rem; justify-items: start; }

.card { padding: 1rem 1.125rem; border: 1px solid var(--rule); border-inline-start: 4px solid var(--amber); border-radius: var(--round); background: var(--surface); }
.card:not([data-state="open"], [data-state="sending"]) { border-inline-start-color: var(--rule); }
.card[data-state="completed"] { border-inline-start-color: var(--good); }
.card .title { font-weight: 650; line-height: 1.35; }
.card .details { white-space: pre-wrap; padding: 0.625rem 0.75rem; border-radius: var(--radius); background: var(--sunken); max-block-size: 14rem; overflow: auto; }
.address b { color: var(--ink); }
.fields { display: grid; gap: 1rem; }
.fields:empty { display: none; }
.ending { color: var(--muted); font-weight: 600; }
[data-state="completed"] .ending { color: var(--good); }
.left { font-size: 0.875rem; min-block-size: 1.375rem; }
.left.soon { color: var(--amber-ink); font-weight: 650; font-variant-numeric: tabular-nums; }
.told:empty { display: none; }

.buttons { display: flex; flex-wrap: wrap; gap: 0.625rem; align-items: center; min-block-size: 2.75rem; }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-block-size: 2.75rem; padding: 0.375rem 1.125rem; border: 1px solid var(--edge); border-radius: var(--radius); background: transparent; color: var(--ink); font: inherit; font-weight: 600; line-height: 1.3; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: var(--sunken); }
.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.primary:hover { border-color: var(--accent-strong); background: var(--accent-strong); color: var(--on-accent); }
[data-state="sending"] button { opacity: 0.6; }

.composer { padding: 0.75rem 1rem 0.625rem; border-block-start: 1px solid var(--rule); }
.line { display: flex; gap: 0.625rem; align-items: flex-end; }
textarea, input, select { font: inherit; color: inherit; accent-color: var(--accent); }
textarea { flex: 1; min-inline-size: 0; min-block-size: 2.75rem; padding: 0.5625rem 0.75rem; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--surface); resize: none; }
::placeholder { color: var(--muted); opacity: 1; }
.hint { min-block-size: 1.5rem; font-size: 0.875rem; }
.lost { padding-inline: 1rem; color: var(--amber-ink); }

@media (prefers-reduced-motion: no-preference) {
  .dots { animation: run 900ms linear infinite; }
  button, .button { transition: background-color 120ms; }
}
@keyframes run { to { background-position-x: 12px; } }
`

let sheet: CSSStyleSheet | undefined

/** Constructed, so that a page's content security policy need not allow inline styles. */
export function applyStyle(root: ShadowRoot): void {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
  }
  root.adoptedStyleSheets = [sheet]
}
