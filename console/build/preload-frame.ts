// Names the files of the frame in the document, so that the browser fetches and compiles them beside the first file. Otherwise it learns of
// them only when the first one runs, which takes long on a slow machine.
import type { Plugin } from 'vite'

/** The name of the file in join-chunks.ts. */
const FRAME = 'frame'

export function preloadFrame(): Plugin {
  return {
    name: 'preload-frame',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const frame = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === FRAME)
        if (frame?.type !== 'chunk') throw new Error('the build has no file of the frame')
        const styles = [...(frame.viteMetadata?.importedCss ?? [])]
        return [
          { tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: `/${frame.fileName}` } },
          // As style sheets they need no second name when the frame asks for them.
          ...styles.map((file) => ({ tag: 'link', attrs: { rel: 'stylesheet', crossorigin: true, href: `/${file}` } })),
        ].map((tag) => ({ ...tag, injectTo: 'head' as const }))
      },
    },
  }
}
