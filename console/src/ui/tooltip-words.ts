// Mantine's tooltip in a file of its own, so that it is loaded on demand.
import { Tooltip } from '@mantine/core'

export default Tooltip
