// Starts the console.
import './theme/mantine.css'
import '@fontsource-variable/inter/wght.css'
import './theme/font/inter-basic.css'
import './theme/tokens.css'
import './theme/global.css'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

const root = document.querySelector('#root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(<App />)
