import { MoonOutlined, SunOutlined } from '@ant-design/icons';
import { LightButton } from '../ui/LightButton';
import { Tooltip } from '../ui/Tooltip';
import { chooseColorMode } from './color.mode';
import { useColorMode } from './useColorMode';

const switchTo = (mode: string) => `Switch to ${mode} theme`;

/** Renders both labels; CSS shows the right one even before any script runs. */
export function ColorModeSwitch() {
  const other = useColorMode() === 'dark' ? 'light' : 'dark';
  return (
    <Tooltip text={switchTo(other)} side="bottom">
      <LightButton type="text" className="theme-switch" onClick={() => chooseColorMode(other)}>
        {(['dark', 'light'] as const).map((mode) => (
          <span key={mode} className={`when-${mode === 'dark' ? 'light' : 'dark'}`}>
            {mode === 'dark' ? <MoonOutlined aria-hidden /> : <SunOutlined aria-hidden />}
            <span className="visually-hidden">{switchTo(mode)}</span>
          </span>
        ))}
      </LightButton>
    </Tooltip>
  );
}
