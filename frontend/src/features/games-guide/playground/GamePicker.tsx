import { Alert, Button, Form, Input, Segmented } from 'antd';
import { useRef, useState, type ChangeEvent } from 'react';
import { readFolder, readZip, scriptsOf, type GameFiles } from './game.files';
import { readAddress, type GameSource } from './game.source';
import styles from './playground.module.css';

interface GamePickerProps {
  /** `null` until the reader has chosen one. */
  source: GameSource | null;
  /** Whether the portal has an origin for games of others. */
  hasOrigin: boolean;
  onPick: (source: GameSource | null) => void;
}

type Kind = GameSource['kind'];

/** Chooses the game: the sample, the reader's files, which stay in the browser, or a server on this computer. */
export function GamePicker({ source, hasOrigin, onPick }: GamePickerProps) {
  const [kind, setKind] = useState<Kind>(source?.kind ?? 'sample');
  const [problem, setProblem] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);
  const [address, setAddress] = useState('');
  const zip = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);

  const choose = (next: Kind) => {
    setKind(next);
    setProblem(null);
    if (next !== source?.kind) onPick(next === 'sample' ? { kind: 'sample' } : null);
  };
  /** A game that ran before doesn't stay under the error. */
  const refuse = (reason: string) => {
    setProblem(reason);
    onPick(null);
  };
  const read = async (
    { target }: ChangeEvent<HTMLInputElement>,
    reader: (files: File[]) => Promise<GameFiles>,
  ) => {
    const files = [...(target.files ?? [])];
    // The same files can be chosen again after a change.
    target.value = '';
    if (files.length === 0) return;
    setProblem(null);
    setReading(true);
    try {
      const game = await reader(files);
      onPick({ kind: 'files', game, scripts: await scriptsOf(game) });
    } catch (error) {
      refuse((error as Error).message);
    } finally {
      setReading(false);
    }
  };
  const openAddress = () => {
    const given = readAddress(address);
    if ('problem' in given) return refuse(given.problem);
    setProblem(null);
    onPick({ kind: 'address', address: given.address });
  };

  return (
    <div className={styles.picker}>
      <Segmented<Kind>
        aria-label="Game"
        options={[
          { value: 'sample', label: 'Sample' },
          { value: 'files', label: 'Your files', disabled: !hasOrigin },
          { value: 'address', label: 'Local address' },
        ]}
        value={kind}
        onChange={choose}
      />
      {kind === 'files' && (
        <div className={styles.acts}>
          <input
            ref={zip}
            type="file"
            accept=".zip,application/zip"
            hidden
            data-testid="zip"
            onChange={(event) => void read(event, ([file]) => readZip(file as File))}
          />
          <input
            ref={folder}
            type="file"
            hidden
            data-testid="folder"
            {...{ webkitdirectory: '' }}
            onChange={(event) => void read(event, readFolder)}
          />
          <Button loading={isReading} onClick={() => zip.current?.click()}>
            Choose a zip
          </Button>
          <Button loading={isReading} onClick={() => folder.current?.click()}>
            Choose a folder
          </Button>
          <span className={styles.help}>
            Your files stay on this computer until you reload. Nothing is uploaded.
          </span>
        </div>
      )}
      {kind === 'address' && (
        <Form className={styles.acts} onFinish={openAddress}>
          <Input
            aria-label="Address of the game"
            placeholder="http://localhost:8080"
            maxLength={500}
            value={address}
            onChange={({ target }) => setAddress(target.value)}
          />
          <Button htmlType="submit">Open</Button>
        </Form>
      )}
      {!hasOrigin && (
        <p className={styles.help}>
          This portal has no second origin for games, so only the sample and games on your own computer run
          here.
        </p>
      )}
      {problem !== null && <Alert type="error" showIcon title={problem} />}
    </div>
  );
}
