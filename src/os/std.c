#include "os/std.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

bool sl_std_open(void)
{
    int fd;
    (void)signal(SIGXFSZ, SIG_IGN);
    do {
        /* write-only for 0 and read-only for the others: use still fails */
        fd = open("/dev/null", O_RDONLY);
        if (fd == 0) {
            close(fd);
            fd = open("/dev/null", O_WRONLY);
        }
    } while (fd >= 0 && fd <= 2);
    if (fd > 2)
        close(fd);
    return fd >= 0;
}
