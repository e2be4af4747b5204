import { Button, Input, Segmented } from 'antd';
import { useState } from 'react';
import { saveFile } from '../../../ui/save.file';
import { formatDuration } from '../../../ui/time.text';
import type { LogEntry } from './game.session';
import styles from './playground.module.css';

const directions = {
  all: 'All',
  fromGame: 'From the game',
  toGame: 'To the game',
} as const;

const words: Record<LogEntry['direction'], string> = {
  fromGame: 'From game',
  toGame: 'To game',
  note: 'Note',
};

/** The messages between the game and its host, newest first, with a filter and an export. */
export function GameLog({ log }: { log: readonly LogEntry[] }) {
  const [direction, setDirection] = useState<keyof typeof directions>('all');
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const shown = log
    .filter((entry) => direction === 'all' || entry.direction === direction)
    .filter(({ type, payload }) => `${type} ${payload}`.toLowerCase().includes(wanted))
    .toReversed();
  return (
    <>
      <div className={styles.filters}>
        <Segmented
          aria-label="Direction"
          options={Object.entries(directions).map(([value, label]) => ({
            value: value as keyof typeof directions,
            label,
          }))}
          value={direction}
          onChange={setDirection}
        />
        <Input
          allowClear
          aria-label="Filter messages"
          placeholder="Filter messages"
          maxLength={100}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button
          disabled={log.length === 0}
          onClick={() =>
            saveFile('messages.json', new Blob([JSON.stringify(log, null, 2)], { type: 'application/json' }))
          }
        >
          Export
        </Button>
      </div>
      {shown.length === 0 ? (
        <p className={styles.empty}>{log.length === 0 ? 'No messages yet.' : 'No message matches.'}</p>
      ) : (
        <ol className={styles.log} aria-label="Messages" tabIndex={0}>
          {shown.map(({ id, atMs, direction: from, type, payload, problem }) => (
            <li key={id} data-direction={from}>
              <span className={styles.time}>{formatDuration(atMs)}</span>
              <span className={styles.direction}>{words[from]}</span>
              <code>{type}</code>
              {payload !== '' && <code className={styles.payload}>{payload}</code>}
              {problem !== undefined && <span className={styles.problem}>{problem}</span>}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
