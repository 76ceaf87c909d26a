import type { pace as english } from './admin-pace-en.ts';

export const pace: Record<keyof typeof english, string> = {
  allowedRate: '적용 중인 속도',
  switchOff: '끄기',
  health: '사이트 상태',
  healthAbout:
    '게이트가 사이트의 오류와 응답 시간을 보고합니다. 기준을 넘으면 입장 속도를 2초마다 절반으로 낮추고(최저 속도까지), 정상으로 돌아오면 30초 안에 원래 속도로 올립니다. 이미 입장한 방문자에게는 영향이 없습니다. 초당 입장(admitPerSecond)을 정해야 합니다.',
  healthRate: '적용 중인 속도 / 최대',
  healthErrors: '오류 (5xx)',
  healthP95: '응답 시간 (p95)',
  healthMeasured: '마지막 보고',
  healthNoReports: '아직 없음',
  healthWell: '사이트가 정상입니다. 최대 속도로 입장합니다.',
  healthCause_errors: '사이트에 오류가 발생해 입장 속도를 낮췄습니다. 대기자에게 이유가 안내됩니다.',
  healthCause_latency: '사이트 응답이 느려 입장 속도를 낮췄습니다. 대기자에게 이유가 안내됩니다.',
  healthIgnored: '{time}까지 사이트 상태와 관계없이 최대 속도로 입장합니다.',
  healthIgnore: '{minutes}분 동안 최대 속도로',
  healthFollow: '다시 사이트 상태에 맞추기',
  healthMaxErrors: '허용 오류 비율 (0~1)',
  healthMaxP95: '허용 응답 시간, p95 (ms)',
  healthMinRate: '최저 속도 (초당)',
  failOpen: '대기열에 연결할 수 없을 때',
  failOpenAbout:
    '기본값은 새로 입장시키지 않는 것입니다. 값을 정하면 게이트마다 정해진 시간 동안 초당 그 인원만큼 대기 없이 통과시킵니다. 통과한 방문자에게는 표시된 출입증이 발급됩니다. 연결이 복구되면 게이트마다 통과시킨 인원을 변경 기록에 남깁니다.',
  failOpenAfter: '연결 끊김 후 (초)',
  failOpenFor: '최대 지속 시간 (분)',
  failOpenRate: '게이트당 초당 인원',
  alarm_site_failing: '사이트에 오류가 발생하고 있습니다. 입장 속도를 낮췄습니다.',
  alarm_site_slow: '사이트 응답이 느립니다. 입장 속도를 낮췄습니다.',
  alarm_no_reports: '사이트 상태가 보고되지 않아 최대 속도로 입장합니다. 게이트가 대기열에 연결되는지 확인하세요.',
};
