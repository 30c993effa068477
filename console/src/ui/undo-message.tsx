// A message about something that was done, with a button that takes it back.
import { Button } from '@mantine/core'

export function UndoMessage({ message, undo }: { message: string; undo: () => void }) {
  return (
    <>
      {message}{' '}
      <Button size="compact-sm" variant="default" onClick={undo}>
        Undo
      </Button>
    </>
  )
}
