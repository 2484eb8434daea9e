/* main.h - of ST's HAL what pt's files over it use, and no more; its names and values are the HAL's
 * SPDX-License-Identifier: MIT
 *
 * hal.c behaves like the HAL of an STM32F4 (1.8.5), as far as a transfer and its end go. */
#ifndef MAIN_H
#define MAIN_H

#include <stdint.h>

typedef enum { HAL_OK, HAL_ERROR, HAL_BUSY, HAL_TIMEOUT } HAL_StatusTypeDef;

/* --- channels of DMA --------------------------------------------------------------------------- */

typedef enum {
    HAL_DMA_STATE_RESET,
    HAL_DMA_STATE_READY,
    HAL_DMA_STATE_BUSY,
    HAL_DMA_STATE_TIMEOUT,
    HAL_DMA_STATE_ERROR,
    HAL_DMA_STATE_ABORT
} HAL_DMA_StateTypeDef;

typedef struct {
    volatile uint32_t NDTR;
} DMA_Stream_TypeDef;

typedef struct __DMA_HandleTypeDef {
    DMA_Stream_TypeDef *Instance;
    volatile HAL_DMA_StateTypeDef State;
    void *Parent;
    void (*XferCpltCallback)(struct __DMA_HandleTypeDef *dma);
    void (*XferAbortCallback)(struct __DMA_HandleTypeDef *dma);
} DMA_HandleTypeDef;

#define __HAL_DMA_GET_COUNTER(dma) ((dma)->Instance->NDTR)

HAL_StatusTypeDef HAL_DMA_Init(DMA_HandleTypeDef *dma);
HAL_StatusTypeDef HAL_DMA_Abort_IT(DMA_HandleTypeDef *dma);

/* --- I2C --------------------------------------------------------------------------------------- */

typedef enum {
    HAL_I2C_STATE_RESET = 0x00,
    HAL_I2C_STATE_READY = 0x20,
    HAL_I2C_STATE_BUSY_TX = 0x21,
    HAL_I2C_STATE_BUSY_RX = 0x22,
    HAL_I2C_STATE_ABORT = 0x60
} HAL_I2C_StateTypeDef;
typedef enum { HAL_I2C_MODE_NONE = 0x00, HAL_I2C_MODE_MASTER = 0x10 } HAL_I2C_ModeTypeDef;

#define HAL_I2C_ERROR_NONE 0x00u
#define HAL_I2C_ERROR_BERR 0x01u
#define HAL_I2C_ERROR_ARLO 0x02u
#define HAL_I2C_ERROR_AF 0x04u
#define HAL_I2C_ERROR_OVR 0x08u
#define HAL_I2C_ERROR_DMA 0x10u
#define HAL_I2C_ERROR_TIMEOUT 0x20u

#define I2C_FIRST_FRAME 0x01u
#define I2C_FIRST_AND_NEXT_FRAME 0x02u
#define I2C_FIRST_AND_LAST_FRAME 0x08u
#define I2C_LAST_FRAME_NO_STOP 0x10u
#define I2C_LAST_FRAME 0x20u
#define I2C_FLAG_BUSY 0x00100002u

typedef struct {
    volatile uint32_t SR2;
} I2C_TypeDef;

typedef struct {
    I2C_TypeDef *Instance;
    uint8_t *pBuffPtr;
    uint16_t XferSize;
    volatile uint16_t XferCount;
    DMA_HandleTypeDef *hdmatx, *hdmarx;
    volatile HAL_I2C_StateTypeDef State;
    volatile HAL_I2C_ModeTypeDef Mode;
    volatile uint32_t ErrorCode;
} I2C_HandleTypeDef;

#define __HAL_I2C_GET_FLAG(hal, flag) ((hal)->Instance->SR2 & (flag)&0xffff)

HAL_StatusTypeDef HAL_I2C_Init(I2C_HandleTypeDef *hal);
HAL_StatusTypeDef HAL_I2C_DeInit(I2C_HandleTypeDef *hal);
HAL_StatusTypeDef HAL_I2C_Master_Seq_Transmit_IT(I2C_HandleTypeDef *hal, uint16_t address,
                                                 uint8_t *data, uint16_t size, uint32_t options);
HAL_StatusTypeDef HAL_I2C_Master_Seq_Receive_IT(I2C_HandleTypeDef *hal, uint16_t address,
                                                uint8_t *data, uint16_t size, uint32_t options);
HAL_StatusTypeDef HAL_I2C_Master_Seq_Transmit_DMA(I2C_HandleTypeDef *hal, uint16_t address,
                                                  uint8_t *data, uint16_t size, uint32_t options);
HAL_StatusTypeDef HAL_I2C_Master_Seq_Receive_DMA(I2C_HandleTypeDef *hal, uint16_t address,
                                                 uint8_t *data, uint16_t size, uint32_t options);
HAL_StatusTypeDef HAL_I2C_Master_Abort_IT(I2C_HandleTypeDef *hal, uint16_t address);
uint32_t HAL_I2C_GetError(const I2C_HandleTypeDef *hal);

void HAL_I2C_MasterTxCpltCallback(I2C_HandleTypeDef *hal);
void HAL_I2C_MasterRxCpltCallback(I2C_HandleTypeDef *hal);
void HAL_I2C_ErrorCallback(I2C_HandleTypeDef *hal);
void HAL_I2C_AbortCpltCallback(I2C_HandleTypeDef *hal);

/* --- SPI --------------------------------------------------------------------------------------- */

#define HAL_SPI_ERROR_NONE 0x00u
#define HAL_SPI_ERROR_OVR 0x04u
#define HAL_SPI_ERROR_DMA 0x10u

#define SPI_POLARITY_LOW 0u
#define SPI_POLARITY_HIGH 2u
#define SPI_PHASE_1EDGE 0u
#define SPI_PHASE_2EDGE 1u
#define SPI_BAUDRATEPRESCALER_2 0x00u
#define SPI_BAUDRATEPRESCALER_4 0x08u
#define SPI_BAUDRATEPRESCALER_8 0x10u
#define SPI_BAUDRATEPRESCALER_16 0x18u
#define SPI_BAUDRATEPRESCALER_32 0x20u
#define SPI_BAUDRATEPRESCALER_64 0x28u
#define SPI_BAUDRATEPRESCALER_128 0x30u
#define SPI_BAUDRATEPRESCALER_256 0x38u

typedef enum { HAL_SPI_STATE_RESET, HAL_SPI_STATE_READY, HAL_SPI_STATE_BUSY } HAL_SPI_StateTypeDef;

typedef struct {
    uint32_t CLKPolarity, CLKPhase, BaudRatePrescaler;
} SPI_InitTypeDef;

typedef struct {
    SPI_InitTypeDef Init;
    DMA_HandleTypeDef *hdmatx, *hdmarx;
    volatile HAL_SPI_StateTypeDef State;
    volatile uint32_t ErrorCode;
} SPI_HandleTypeDef;

#define __HAL_SPI_CLEAR_OVRFLAG(hal) ((void)(hal))

HAL_StatusTypeDef HAL_SPI_Init(SPI_HandleTypeDef *hal);
HAL_StatusTypeDef HAL_SPI_Transmit_DMA(SPI_HandleTypeDef *hal, const uint8_t *data, uint16_t size);
HAL_StatusTypeDef HAL_SPI_TransmitReceive_DMA(SPI_HandleTypeDef *hal, const uint8_t *out,
                                              uint8_t *in, uint16_t size);
HAL_StatusTypeDef HAL_SPI_Abort_IT(SPI_HandleTypeDef *hal);
uint32_t HAL_SPI_GetError(const SPI_HandleTypeDef *hal);

void HAL_SPI_TxCpltCallback(SPI_HandleTypeDef *hal);
void HAL_SPI_TxRxCpltCallback(SPI_HandleTypeDef *hal);
void HAL_SPI_ErrorCallback(SPI_HandleTypeDef *hal);
void HAL_SPI_AbortCpltCallback(SPI_HandleTypeDef *hal);

/* --- pins, time -------------------------------------------------------------------------------- */

typedef struct {
    uint32_t unused;
} GPIO_TypeDef;
typedef struct {
    uint32_t Pin, Mode, Pull, Speed;
} GPIO_InitTypeDef;
typedef enum { GPIO_PIN_RESET, GPIO_PIN_SET } GPIO_PinState;

#define GPIO_MODE_OUTPUT_OD 0x11u
#define GPIO_NOPULL 0u
#define GPIO_SPEED_FREQ_LOW 0u

void HAL_GPIO_Init(GPIO_TypeDef *port, GPIO_InitTypeDef *init);
void HAL_GPIO_WritePin(GPIO_TypeDef *port, uint16_t pin, GPIO_PinState state);
GPIO_PinState HAL_GPIO_ReadPin(GPIO_TypeDef *port, uint16_t pin);
void HAL_GPIO_EXTI_Callback(uint16_t pin);
uint32_t HAL_GetTick(void);

#define __WFI() __asm__ volatile("wfi" ::: "memory")

/* The labels of a Nucleo-64. */
#define LD2_GPIO_Port ((GPIO_TypeDef *)0x40020000)
#define LD2_Pin 0x0020u
#define B1_GPIO_Port ((GPIO_TypeDef *)0x40020800)
#define B1_Pin 0x2000u

#endif
