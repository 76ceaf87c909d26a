/** The Korean texts of the frame. */
import type { FrameTexts } from './frame-en.ts';

/** 모든 페이지의 틀: 하단 정보와 오류 페이지. */
export const frame: FrameTexts = {
  organiser: '주최 {name}',
  contact: '문의하기',
  noContact: '주최사 문의처가 등록되어 있지 않습니다.',
  terms: '이용약관',
  refunds: '취소·환불 규정',
  refundsUntil: '공연 시작 {hours}시간 전까지 취소하면 환불됩니다.',
  refundsUntilStart: '공연 시작 전까지 취소하면 환불됩니다.',
  privacy: '개인정보처리방침',
  notFoundTitle: '페이지를 찾을 수 없습니다',
  notFoundText: '주소가 잘못되었거나 삭제된 페이지입니다.',
  refusedTitle: '요청을 처리할 수 없습니다',
  refusedText: '주소나 입력한 내용이 올바르지 않습니다. 이전 화면으로 돌아가 다시 시도해 주세요.',
  failedTitle: '일시적인 오류가 발생했습니다',
  failedText: '예매 내역과 대기 순번은 그대로 유지됩니다. 잠시 후 다시 시도해 주세요.',
  reference: '오류 번호: {id}',
  toEvents: '공연 보기',
  toTickets: '예매 내역',
};
