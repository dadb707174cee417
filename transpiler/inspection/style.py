"""The style sheet of the notebook display, light and dark."""
from __future__ import annotations

LIGHT = '''
--tp-ground:#fff; --tp-head:#f6f7f9; --tp-edge:#dfe3e8; --tp-ink:#24292f; --tp-faint:#7d8590; --tp-lit:#fff3c4;
--tp-keyword:#a626a4; --tp-string:#2f7d32; --tp-comment:#6a737d; --tp-number:#a05a00; --tp-definition:#1f5fc4;
--tp-decorator:#8250df; --tp-builtin:#0f7285;
--tp-c0:#2f81f7; --tp-c1:#e8710a; --tp-c2:#1a9c5b; --tp-c3:#d6338a;
--tp-c4:#7b5cff; --tp-c5:#b8860b; --tp-c6:#0d9db5; --tp-c7:#d1392b;
'''
DARK = '''
--tp-ground:#14171c; --tp-head:#1c2027; --tp-edge:#30363d; --tp-ink:#e1e6ec; --tp-faint:#7e8792; --tp-lit:#3d3a1f;
--tp-keyword:#d69bf0; --tp-string:#9ccf8a; --tp-comment:#8b96a3; --tp-number:#f0b072; --tp-definition:#7ab7ff;
--tp-decorator:#bfa4ff; --tp-builtin:#6fd3e3;
--tp-c0:#58a6ff; --tp-c1:#ff9d4d; --tp-c2:#4cc38a; --tp-c3:#f778ba;
--tp-c4:#a48cff; --tp-c5:#e3b341; --tp-c6:#39c5d9; --tp-c7:#ff7b72;
'''
# the page's own theme wins over the system's: Jupyter sets data-jp-theme-light, VS Code a class on the body
THEMES = f'''
.tp-view{{{LIGHT}}}
@media (prefers-color-scheme:dark){{.tp-view{{{DARK}}}}}
[data-jp-theme-light="true"] .tp-view,body.vscode-light .tp-view{{{LIGHT}}}
[data-jp-theme-light="false"] .tp-view,body.vscode-dark .tp-view{{{DARK}}}
'''
LAYOUT = '''
.tp-view{display:flex;flex-wrap:wrap;align-items:flex-start;gap:12px;margin:4px 0;
max-width:100%;color:var(--tp-ink);text-align:left}
.tp-view .tp-panel{flex:2 1 24em;min-width:min(100%,20em);max-width:100%;box-sizing:border-box;border:1px solid var(--tp-edge);
border-radius:8px;background:var(--tp-ground);
overflow:hidden}
.tp-view .tp-panel+.tp-panel{flex:3 1 32em}
.tp-view header{padding:6px 12px;background:var(--tp-head);border-bottom:1px solid var(--tp-edge);color:var(--tp-faint);
font:600 12px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
.tp-view .tp-scroll{overflow-x:auto;padding:8px 0}
.tp-view .tp-scroll:focus-visible{outline:2px solid var(--tp-c0);outline-offset:-2px}
.tp-view pre,.tp-view code{margin:0;padding:0;border:0;background:none;color:inherit;white-space:pre;
font:13px/1.55 ui-monospace,"SF Mono","Cascadia Code",Menlo,Consolas,"DejaVu Sans Mono",monospace}
.tp-view code{display:inline-block;min-width:100%}
.tp-view .tp-line{display:block;height:1.55em;padding:0 14px 0 0;border-left:4px solid transparent}
.tp-view .tp-line::before{content:attr(data-n);display:inline-block;padding:0 12px 0 8px;color:var(--tp-faint);user-select:none}
.tp-view .tp-line:focus-visible{outline:1px solid var(--tp-faint);outline-offset:-1px}
'''
KINDS = ('keyword', 'string', 'comment', 'number', 'definition', 'decorator', 'builtin')
COLOURS = (''.join(f'.tp-view .tp-{kind}{{color:var(--tp-{kind})}}' for kind in KINDS)
           + ''.join(f'.tp-view .tp-h{k}{{border-left-color:var(--tp-c{k})}}' for k in range(8)))

STYLE = ''.join((THEMES + LAYOUT + COLOURS).split('\n'))
