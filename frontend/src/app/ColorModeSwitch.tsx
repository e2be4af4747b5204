import { MoonOutlined, SunOutlined } from '@ant-design/icons';
import { LightButton } from '../ui/LightButton';
import { Tooltip } from '../ui/Tooltip';
import { chooseColorMode } from './color.mode';
import { useColorMode } from './useColorMode';
import styles from './color-mode-switch.module.css';

const switchTo = (mode: string) => `Switch to ${mode} theme`;

/** Renders both labels; CSS shows the right one even before any script runs. */
export function ColorModeSwitch() {
  const other = useColorMode() === 'dark' ? 'light' : 'dark';
  return (
    <Tooltip text={switchTo(other)} side="bottom">
      <LightButton type="text" className={styles.root} onClick={() => chooseColorMode(other)}>
        {(['dark', 'light'] as const).map((mode) => (
          <span key={mode} className={mode === 'dark' ? styles.whenLight : styles.whenDark}>
            {mode === 'dark' ? <MoonOutlined aria-hidden /> : <SunOutlined aria-hidden />}
            <span className="visually-hidden">{switchTo(mode)}</span>
          </span>
        ))}
      </LightButton>
    </Tooltip>
  );
}
