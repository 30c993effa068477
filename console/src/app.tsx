// Everything that surrounds the pages: theme, cache, router, toasts.
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { queryClient } from './api/query-client.ts'
import { useStore } from './lib/store.ts'
import { router } from './router.tsx'
import { cssVariables, theme } from './theme/theme.ts'
import { hasToasts } from './ui/toast.ts'

const Toasts = lazy(() => import('./ui/toasts.tsx'))

/** The server's security policy lets only style elements with this nonce take effect. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? ''

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
      deduplicateInlineStyles
      // Writes all variables, so that the file with Mantine's defaults is not needed.
      deduplicateCssVariables={false}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Suspense>{useStore(hasToasts) ? <Toasts /> : null}</Suspense>
      </QueryClientProvider>
    </MantineProvider>
  )
}
